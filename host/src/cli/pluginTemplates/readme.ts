/** `README.md` of a new plugin. */
export const README = `
# __PACKAGE__

A plugin for [Causeway](https://www.npmjs.com/package/@causeway/host), a self-hosted service that moves value across chains. It
does little, and all of it works: an integrator stores a greeting, and its quotes show it. Replace that by what you have in mind;
"Writing a plugin" in the README of \`@causeway/core\` explains every part.

| file                       | what it holds                                                       |
| -------------------------- | ------------------------------------------------------------------- |
| \`src/index.ts\`             | the entry: what the plugin needs and what it provides               |
| \`src/options.ts\`           | its options                                                         |
| \`src/greetings.ts\`         | its table, and the statements that read and write it                |
| \`src/greetingRoutes.ts\`    | its operations                                                      |
| \`src/greetingExtension.ts\` | what it adds to quotes                                              |
| \`src/owner.ts\`             | whose data a caller may see                                         |
| \`src/greetings.test.ts\`    | its tests: a real PostgreSQL, calls over HTTP                       |
| \`vitest.setup.ts\`          | starts that PostgreSQL, unless CAUSEWAY_TEST_DATABASE_URL names one |

\`\`\`
npm install
npm test             no server needs to be installed
npm run typecheck
npm run build
\`\`\`

## Using it

Install the package beside \`@causeway/host\` and name it in the configuration. It runs besides the plugins that come with Causeway:

\`\`\`ts
import { defineConfig } from '@causeway/host'

export default defineConfig({
  plugins: [{ package: '__PACKAGE__', options: { maxLength: 200 } }],
  // network, chains, keys ...
})
\`\`\`

| option      | default | meaning                       |
| ----------- | ------- | ----------------------------- |
| \`maxLength\` | \`140\`   | most characters of a greeting |

- \`PUT /__WORD__/greeting\` with \`{ "text": "..." }\` stores the greeting of the integrator that the API key belongs to.
- \`GET /__WORD__/greeting\` shows it, or is 404.
- \`POST /quote\` with \`__WORD__Greeting: true\` has it in the answer as \`__WORD__.greeting\`.

Needs \`core/Pool\`, \`core/Clock\`. Adds to \`core/QuoteExtensions\`.
`
