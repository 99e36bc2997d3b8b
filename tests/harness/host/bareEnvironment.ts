/** The environment of somebody who has no database, runs no tests yet and reads plain text. */
export const bareEnvironment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const ofThisRun = /^(CAUSEWAY_|VITEST|npm_|TEST$|NODE_ENV$|DATABASE_URL$|FORCE_COLOR$)/
  const inherited = Object.entries(process.env).filter(([name]) => !ofThisRun.test(name))
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...more }
}
