/** The result of reads after writes. */
export interface Checked {
  reads: number;
  writes: number;
  /** Reads without all writes that were acknowledged before they were sent. */
  stale: number;
}

interface Checking {
  /** Writes go to the first one, reads to all in turn. */
  urls: string[];
  headers: Record<string, string>;
  /** The user whose name is changed. */
  userId: string;
  readers: number;
  atLeastReads: number;
  atLeastWrites: number;
}

const numberIn = (name: string) => Number(/^Version (\d+)$/.exec(name)?.[1] ?? -1);

/** Changes a user's name over and over, while readers list the users of all processes: each must see every change acknowledged before. */
export async function checkReads(checking: Checking): Promise<Checked> {
  const { urls, headers, userId, readers, atLeastReads, atLeastWrites } = checking;
  const checked = { reads: 0, writes: 0, stale: 0 };
  let acknowledged = -1;
  const isOver = () => checked.reads >= atLeastReads && checked.writes >= atLeastWrites;
  const write = async () => {
    while (!isOver()) {
      const body = JSON.stringify({ name: `Version ${checked.writes}` });
      const response = await fetch(`${urls[0]}/v1/user/${userId}`, {
        method: "PATCH",
        headers: { ...headers, "Content-Type": "application/json" },
        body,
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      acknowledged = checked.writes;
      checked.writes += 1;
    }
  };
  const read = async (place: number) => {
    for (let turn = place; !isOver(); turn += 1) {
      const known = acknowledged;
      const response = await fetch(`${urls[turn % urls.length]}/v1/user/list?limit=50`, {
        headers,
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      const users: { id: string; name: string }[] = await response.json();
      const found = users.find(({ id }) => id === userId);
      checked.reads += 1;
      if (known >= 0 && numberIn(found?.name ?? "") < known) checked.stale += 1;
    }
  };
  await Promise.all([write(), ...Array.from({ length: readers }, (_, place) => read(place))]);
  return checked;
}
