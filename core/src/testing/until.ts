/**
 * Asks until the answer is neither null nor undefined, and returns it; again after `everyMs`.
 * @throws Error that names what it waited for, after the time (default one minute)
 */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | null | undefined>,
  milliseconds = 60_000,
  everyMs = 25,
): Promise<T> => {
  const deadline = performance.now() + milliseconds
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`Waited ${milliseconds} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
