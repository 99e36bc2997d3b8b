/** What `ask` says of each, in the order given; so many questions are open at once. The first failure is the answer. */
export const inTurns = async <Item, Answer>(
  items: readonly Item[],
  atOnce: number,
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    answers.push(...(await Promise.all(items.slice(at, at + atOnce).map(ask))))
  }
  return answers
}
