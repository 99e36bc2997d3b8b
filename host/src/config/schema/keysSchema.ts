import { Type } from '@sinclair/typebox'
import { closed, text } from './schemaFields.js'

/** Where a secret is read from; the configuration itself never holds one. Exactly one of `env`, `file` and `keystore`. */
const keyReference = (description: string) =>
  Type.Object(
    {
      env: Type.Optional(
        text('Name of the environment variable that holds the key, 64 hex digits or an ed25519 pair.'),
      ),
      file: Type.Optional(
        text(
          'File only its owner can read (mode 0600); relative to the configuration. Hex text, or JSON with `field`.',
        ),
      ),
      field: Type.Optional(text('Name in the JSON object of `file`.')),
      keystore: Type.Optional(text('Name of the key in `keys.keystore`.')),
    },
    { ...closed, description },
  )

const keystore = Type.Object(
  {
    file: text(
      'The file, relative to the configuration; made by `causeway keys new` or `keys import`. The environment variable KEYSTORE_FILE takes its place.',
    ),
    passphrase: Type.Object(
      {
        env: Type.Optional(text('Name of the environment variable that holds it.')),
        file: Type.Optional(text('File only its owner can read (mode 0600); relative to the configuration.')),
      },
      { ...closed, description: 'Where its passphrase is read from: exactly one of `env` and `file`.' },
    ),
  },
  { ...closed, description: 'Encrypted file of keys that this process may hold.' },
)

export const keys = Type.Object(
  {
    keystore: Type.Optional(keystore),
    order: Type.Optional(keyReference('Signs order ids (role api).')),
    allocator: Type.Optional(keyReference('Signs withdrawals from the depository (role solver).')),
    allocators: Type.Record(
      Type.String({ pattern: '^[0-9]+$' }),
      keyReference('Signs withdrawals on that chain, in place of `allocator` (role solver).'),
      {
        default: {},
        description: 'Allocator key by chain id, for chains whose depository has another key or another kind of key.',
        additionalProperties: false,
      },
    ),
    master: Type.Optional(keyReference('Secret other keys are derived from (roles api and webhooks).')),
    previousMaster: Type.Optional(
      keyReference('The master key that `master` takes the place of, while it is rotated (roles api and webhooks).'),
    ),
    hd: Type.Optional(keyReference('Root of deposit addresses (role solver).')),
    operator: Type.Optional(
      keyReference('Signs orders over the wallets: `causeway wallet` alone reads it, and no host may hold it.'),
    ),
    deployer: Type.Optional(
      Type.Object(
        {
          ...keyReference('').properties,
          keystoreFile: Type.Optional(
            text('Keystore of its own that holds it, under the passphrase of `keys.keystore`; no host opens it.'),
          ),
        },
        { ...closed, description: 'Pays for contracts (`causeway contracts deploy`); no host reads it.' },
      ),
    ),
    payout: Type.Record(
      Type.String({ pattern: '^[0-9]+$' }),
      keyReference('Signs payouts on that chain (role solver).'),
      {
        default: {},
        description: 'Payout key by chain id.',
        additionalProperties: false,
      },
    ),
    origin: Type.Record(
      Type.String({ pattern: '^[0-9]+$' }),
      keyReference('Sends calls for users on that chain; its account holds nothing but gas (role solver).'),
      {
        default: {},
        description: 'Key by chain id that sends permits and calls for users who have no gas. Never a payout key.',
        additionalProperties: false,
      },
    ),
  },
  { ...closed, default: {}, description: 'Where each key is read from.' },
)
