/** What needs the session for its last step. Apart from the code that does it, which few pages load. */
const tasks = new Set<() => Promise<void>>();

/** Adds what is done before the session ends; once, however often it is added. */
export function beforeSignOut(task: () => Promise<void>): void {
  tasks.add(task);
}

export async function runSignOutTasks(): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
}
