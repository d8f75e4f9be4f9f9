import { classNames } from "@/components/ui/class-names";
import { inOrder } from "@/components/ui/in-order";
import { PageHeader } from "@/components/ui/page-header";
import type { Block, Guide, Section } from "@/lib/catalogue/guides/guide";
import { GuideBlock, InlineText } from "./guide-text";

interface Pair {
  text: Block[];
  code: Block[];
}

/** Text and the code that follows it: next to each other on wide screens, in order on narrow ones. */
function pairsOf(blocks: Block[]): Pair[] {
  return blocks.reduce<Pair[]>((pairs, block) => {
    const last = pairs.at(-1);
    if (block.type === "code") {
      if (last) last.code.push(block);
      else pairs.push({ text: [], code: [block] });
    } else if (last && last.code.length === 0) last.text.push(block);
    else pairs.push({ text: [block], code: [] });
    return pairs;
  }, []);
}

function GuidePair({ pair, title }: { pair: Pair; title: string }) {
  const draw = (blocks: Block[]) =>
    inOrder(blocks, (block) => <GuideBlock block={block} label={title} />);
  return (
    <div
      className={classNames(
        "grid gap-x-8 gap-y-3",
        pair.code.length > 0 && "xl:grid-cols-[minmax(0,9fr)_minmax(0,10fr)]",
      )}
    >
      <div className="flex min-w-0 max-w-[72ch] flex-col gap-3">{draw(pair.text)}</div>
      {pair.code.length > 0 ? (
        <div className="flex min-w-0 flex-col gap-3 xl:sticky xl:top-20 xl:self-start">
          {draw(pair.code)}
        </div>
      ) : null}
    </div>
  );
}

function GuideSection({ section, guide }: { section: Section; guide: string }) {
  return (
    <section className="flex flex-col gap-3 border-t border-border pt-6 first:border-t-0 first:pt-0">
      {section.title ? (
        <h2 id={section.id} className="text-lead font-semibold text-balance">
          <a href={`#${section.id}`} className="rounded-[3px] hover:underline">
            {section.title}
          </a>
        </h2>
      ) : null}
      {inOrder(pairsOf(section.blocks), (pair) => (
        <GuidePair pair={pair} title={section.title || guide} />
      ))}
    </section>
  );
}

/** A guide: text in one column, the code that belongs to it in the other. */
export function GuideView({ guide }: { guide: Guide }) {
  return (
    <article>
      <PageHeader title={guide.title} lead={<InlineText parts={guide.lead} />} />
      <div className="flex flex-col gap-6 text-control leading-6">
        {guide.sections.map((section) => (
          <GuideSection key={section.id} section={section} guide={guide.title} />
        ))}
      </div>
    </article>
  );
}
