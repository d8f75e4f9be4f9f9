/** The address of a font, set by the build. */
declare module "*.woff2" {
  const address: string;
  export default address;
}
