import { type CreatePackageOptions, createPackage } from './createPackage.js'
import { pluginFiles } from './pluginTemplates/pluginFiles.js'

/** `causeway create-plugin`: writes a package that is a working plugin, with its test. @throws UsageError */
export const createPlugin = (options: CreatePackageOptions): void =>
  createPackage(options, {
    kind: 'plugin',
    files: pluginFiles,
    next: [
      'npm test         runs it alone: on a PostgreSQL that is started for the test, and over HTTP',
      'npm run build    compiles it, so that a host can load it by its name',
    ],
  })
