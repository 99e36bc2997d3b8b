import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

const mappedChain = Type.Object(
  {
    walletChainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the chain.' }),
    slug: Type.String({ minLength: 1, maxLength: 64, description: 'Its name in what is signed, `chainId` there.' }),
  },
  closed,
)

/** Options of `POST /authorize`. */
export const nonceMappingOptions = Type.Object(
  {
    chains: Type.Array(mappedChain, {
      default: [],
      maxItems: 100,
      description:
        'Chains of another host whose nonces are mapped here, although they are not among `chains` of this configuration.',
    }),
  },
  { ...closed, default: {}, description: 'Of POST /authorize (wire.md 2.8).' },
)

export type NonceMappingOptions = Static<typeof nonceMappingOptions>
