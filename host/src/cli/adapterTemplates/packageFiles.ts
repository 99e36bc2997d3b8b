export const INDEX = `
import { defineChainPackage } from '@causeway/core/chain'
import { __CHAIN__Adapter } from './adapter.js'
import { chainOptions } from './options.js'

/** What a host loads by the name of this package. */
export default defineChainPackage({
  name: '__PACKAGE__',
  version: '0.1.0',
  vmType: '__CHAIN__vm',
  coreRange: '__RANGE__',
  // The kind of key that accounts sign with: 'secp256k1', or 'ed25519' (then change the signer of src/testing/harness.ts too).
  keyScheme: 'secp256k1',
  options: chainOptions,
  create: async (options, deps) => __CHAIN__Adapter(options, deps),
})
`

export const OPTIONS = `
import { type Static, Type } from '@sinclair/typebox'

/** \`options\` of one __CHAIN__ chain in the configuration of a deployment. */
export const chainOptions = Type.Object(
  {
    depository: Type.String({ minLength: 1, description: 'Account or contract that receives deposits' }),
    rpcTimeoutMs: Type.Optional(Type.Integer({ minimum: 100, default: 5000, description: 'Time limit of one request' })),
    pollIntervalMs: Type.Optional(Type.Integer({ minimum: 10, default: 1000, description: 'Time between two readings' })),
  },
  { additionalProperties: false },
)

export type ChainOptions = Static<typeof chainOptions>
`

export const TO_BE_DONE = `
/** Thrown where this package is not finished. The conformance run lists them. */
export class ToBeDoneError extends Error {
  override readonly name = 'ToBeDoneError'
}

/** Says what is to be done in a place, and stops there. */
export const toBeDone = (place: string, what: string): never => {
  throw new ToBeDoneError(\`to be done: \${place}: \${what}\`)
}
`

export const README = `
# __PACKAGE__

The chain __CHAIN__ for [Causeway](https://www.npmjs.com/package/@causeway/host), a self-hosted service that moves value across
chains.

## Finishing it

\`\`\`
npm install
npm test    builds, runs the conformance kit against your local chain, lists what is to be done
\`\`\`

1. \`src/testing/localChain.ts\`: a chain of this kind on this machine, best a real node.
2. __READING__
3. \`src/__PAYMENTS__.ts\`: payments. Read \`lane.md\` (see below) first. Bytes are signed once, stored, and then broadcast as often
   as needed. \`payoutVerdict\` decides whether a payment may be made a second time.
4. \`src/testing/harness.ts\`: what the kit needs to make things happen: a user's wallet, failed transactions, look-alikes,
   endpoints that lie. What your chain cannot have is declared under \`deviations\`, with the reason, and shows in the report.

5. \`src/testing/chainTesting.ts\`: the local chain for a sandbox, with the wallet of a user. The kit does not need it. Then, in
   the folder where \`@causeway/host\` and \`@causeway/sandbox\` are installed:

\`\`\`
npx causeway try-adapter <this folder>    a transfer to this chain and back, on a live host
\`\`\`

It is finished when the kit says \`0 failed\` and \`try-adapter\` moves a transfer both ways. The pages in
\`node_modules/@causeway/core/docs/kit\` say how; \`tutorial.md\` comes first.

## Using it

\`\`\`json
{
  "chains": [
    {
      "id": 123456,
      "slug": "__CHAIN__",
      "name": "__CLASS__",
      "package": "__PACKAGE__",
      "rpc": ["https://node.example"],
      "currencies": [],
      "options": { "depository": "..." }
    }
  ]
}
\`\`\`

| option         | meaning                                         |
| -------------- | ----------------------------------------------- |
| \`depository\`   | account or contract that receives deposits      |
| \`rpcTimeoutMs\` | time limit of one request (default 5000)        |
| \`pollIntervalMs\` | time between two readings (default 1000)         |
`
