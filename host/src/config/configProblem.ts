/** One thing wrong with the configuration: where it stands and what to do about it. */
export interface ConfigProblem {
  /** `chains[0].rpc`, or empty for the file as a whole. */
  readonly path: string
  readonly message: string
  /** What to change; a sentence. */
  readonly remedy?: string
  readonly line?: number
}

const formatProblem = (file: string, { path, message, remedy, line }: ConfigProblem): string => {
  const place = `${file}${line === undefined ? '' : `:${line}`}`
  return `  ${place}  ${path === '' ? '' : `${path} `}${message}${remedy === undefined ? '' : ` ${remedy}`}`
}

/** Everything wrong with a configuration, reported at once. Holds no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(
    readonly file: string,
    readonly problems: readonly ConfigProblem[],
  ) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
    super(`The configuration has ${count}:\n${problems.map((problem) => formatProblem(file, problem)).join('\n')}`)
  }
}
