/** Classes of Tailwind that name a side of the screen; the logical one follows the direction of the language. */
const physical =
  /(?<=["'`\s:!-])(?:-?(?:m[lr]|p[lr])-[\d[]|(?:left|right)-[\d[]|border-[lr](?=[-\s"'`])|rounded-[lr](?=[-\s"'`])|text-(?:left|right)(?=[\s"'`!]))\S*/g;

/** The classes of a file that do not follow the direction of reading. */
export const physicalClasses = (file: string, source: string): string[] =>
  [...source.matchAll(/className=(?:"[^"]*"|\{[^}]*\})/g)].flatMap(([classes]) =>
    [...classes.matchAll(physical)].map(
      ([name]) => `${file}: ${name} names a side of the screen; use ms-, pe-, start-, text-end ...`,
    ),
  );
