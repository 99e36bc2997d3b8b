/** Pages of a list: each is asked for from the last entry of the page before, up to an empty page, or `most` pages. */
export async function* listPages<Entry>(
  most: number,
  ask: (last: Entry | undefined) => Promise<readonly Entry[]>,
): AsyncGenerator<readonly Entry[]> {
  let last: Entry | undefined
  for (let pages = 0; pages < most; pages += 1) {
    const page = await ask(last)
    last = page.at(-1)
    if (last === undefined) return
    yield page
  }
}
