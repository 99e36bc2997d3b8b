import { jsonText } from './manifestText.js'

/** `tsconfig.json` of a new package. */
export const TSCONFIG = jsonText({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    declaration: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
})

/** `.gitignore` of a new package. */
export const GITIGNORE = 'node_modules/\ndist/\n'
