/** One line or condition of a defence of the money path taken out: the simulation must notice it (`npm run simulate -- --mutant`). */
export interface Mutant {
  readonly name: string
  /** The rule that is taken out. */
  readonly defence: string
  /** What goes wrong without it, as the world or its checks see it. */
  readonly harm: string
  /** What must happen in a story for it to show. */
  readonly needs: string
  /** Actions that a story must have for it, many of them best; none: any story. */
  readonly by?: readonly string[]
  /** Built file, from the root of the repository. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
}
