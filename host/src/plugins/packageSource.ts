import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Why a package could not be loaded, for the operator. */
export class PackageError extends Error {
  override readonly name = 'PackageError'
  constructor(
    message: string,
    readonly remedy: string,
    /** Whether it is not there at all. */
    readonly missing = false,
  ) {
    super(message)
  }
}

/** Finds packages the way the deployment sees them: from the folder of its configuration, else from the host's own. */
export class PackageSource {
  readonly #resolve: (name: string) => string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.#resolve = createRequire(new URL('deployment.js', `${pathToFileURL(folder).href}/`)).resolve
  }

  /** What a package exports, or a module by its relative file name. @throws PackageError */
  async module(name: string): Promise<unknown> {
    const url = this.#locate(name)
    try {
      return await import(url ?? name)
    } catch (error) {
      throw this.#explain(name, error)
    }
  }

  /** The default export of a package, or of a module by its relative file name. @throws PackageError */
  async load(name: string): Promise<unknown> {
    const entry: unknown = Reflect.get(Object(await this.module(name)), 'default')
    if (entry === undefined) {
      throw new PackageError('has no default export.', 'Its entry must be made by definePlugin or defineChainPackage.')
    }
    return entry
  }

  #locate(name: string): string | undefined {
    try {
      return pathToFileURL(this.#resolve(name)).href
    } catch {
      return undefined
    }
  }

  #explain(name: string, error: unknown): PackageError {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`)) {
      return new PackageError('is not installed.', `Run: npm install ${name} (in ${this.#folder}).`, true)
    }
    return new PackageError(`cannot be loaded: ${message}`, 'Update it, or ask its authors.')
  }
}
