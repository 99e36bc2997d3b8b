import { join, resolve } from 'node:path'

/** Where a sandbox keeps its things; all of it under one folder that may be removed when it is stopped. */
export interface SandboxPaths {
  readonly home: string
  /** What others read: addresses, keys of users, where things listen. */
  readonly info: string
  /** The supervisor's own memory of what it started. */
  readonly state: string
  readonly config: string
  readonly keys: string
  readonly prices: string
  readonly postgres: string
  readonly hostLog: string
  chainLog(slug: string): string
}

/** The files of a sandbox whose folder is `home`. */
export const sandboxPaths = (home: string): SandboxPaths => {
  const root = resolve(home)
  return {
    home: root,
    info: join(root, 'sandbox.json'),
    state: join(root, 'sandbox.state.json'),
    config: join(root, 'sandbox.config.json'),
    keys: join(root, 'keys'),
    prices: join(root, 'prices.json'),
    postgres: join(root, 'postgres'),
    hostLog: join(root, 'host.log'),
    chainLog: (slug) => join(root, `${slug}.log`),
  }
}
