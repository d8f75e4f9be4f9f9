/** The sample storefront is shown in the frame of the preview editor, and nowhere else. Every other page's policy is the server's. */
const samplePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** @type {import("next").NextConfig} */
module.exports = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // The interface answers 404 to a path it does not have, never a redirect.
  skipTrailingSlashRedirect: true,
  // Types are checked by `npm run check`, with the compiler that the editor uses.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: __dirname },
  // Compiled parts, or packages that find their own files: Node loads them as they are.
  serverExternalPackages: ["@node-rs/argon2", "pg", "pino", "prom-client"],
  // No image is resized: the address that does so for anybody is closed.
  images: { unoptimized: true },
  // The server answers the interface from its own build. Next's copy of every `route.ts` would be most of what there is to build, so that
  // scripts/build.mjs leaves them out: what Next itself serves ends in .tsx.
  ...(process.env.PAGES_ONLY && { pageExtensions: ["tsx"] }),
  // Loading every page before it is asked for would only slow the start.
  experimental: { preloadEntriesOnStart: false },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        {
          key: "Permissions-Policy",
          value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        },
      ],
    },
    {
      source: "/sample-storefront/:path*",
      headers: [
        { key: "Content-Security-Policy", value: samplePolicy },
        // Its frame is sandboxed, so that its own files come from another origin than it has.
        { key: "Cross-Origin-Resource-Policy", value: "cross-origin" },
      ],
    },
  ],
};
