import Module from "node:module";

/*
 * Node.js keeps the source map of every loaded file for the life of the process: those of Next and React were an eighth of the heap
 * after the first pages. Ours stay, without the text of the sources (scripts/build.mjs): stack traces in the log use them.
 */

const packages = /[\\/]node_modules[\\/]/;
const mapComment = /\n\/\/# sourceMappingURL=\S+\s*$/;

/** Must be called before packages are loaded: those loaded by `require` have no source maps from then on. */
export function skipMapsOfPackages(): void {
  const compile: unknown = Reflect.get(Module.prototype, "_compile");
  if (typeof compile !== "function" || compile.name === "unmapped") return;
  Reflect.set(
    Module.prototype,
    "_compile",
    function unmapped(this: Module, content: unknown, filename: string, ...others: unknown[]) {
      const isSkipped = typeof content === "string" && packages.test(filename);
      const shown = isSkipped ? content.replace(mapComment, "") : content;
      return Reflect.apply(compile, this, [shown, filename, ...others]);
    },
  );
}
