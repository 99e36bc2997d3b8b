import { type Static, Type } from '@sinclair/typebox'

/** What the user pays in on one origin chain. Amounts are smallest units as decimal text. */
export interface OrderInputPayment {
  /** Protocol slug of the origin chain, such as `base`. */
  readonly chainId: string
  readonly currency: string
  readonly amount: string
  /** Relative worth between several inputs; `1` for a single one. */
  readonly weight: string
}

/** One way to give the input back when the order is not filled. */
export interface OrderInputRefund {
  readonly chainId: string
  readonly recipient: string
  readonly currency: string
  readonly minimumAmount: string
  /** Unix seconds, inclusive. */
  readonly deadline: number
  /** EVM and Tron: ABI word of the fill contract; `0x` elsewhere. */
  readonly extraData: string
}

export interface OrderInput {
  readonly payment: OrderInputPayment
  readonly refunds: readonly OrderInputRefund[]
}

/** What the recipient gets. */
export interface OrderOutputPayment {
  readonly recipient: string
  readonly currency: string
  readonly minimumAmount: string
  readonly expectedAmount: string
}

export interface OrderOutput {
  readonly chainId: string
  readonly payments: readonly OrderOutputPayment[]
  /** Destination calls, each as `encodeOrderCall` writes it. */
  readonly calls: readonly string[]
  /** Unix seconds, inclusive. */
  readonly deadline: number
  readonly extraData: string
}

/** Paid on the hub after a fill. */
export interface OrderFee {
  readonly recipientChainId: string
  readonly recipient: string
  readonly currencyChainId: string
  readonly currency: string
  readonly amount: string
}

/** The on-chain commitment, version v1, as it stands on the wire (wire.md 1.7, chains.md "Structs"). */
export interface Order {
  readonly version: 'v1'
  readonly solverChainId: string
  /** EVM address; the only party that may fill. */
  readonly solver: string
  /** uint256, hex or decimal text. */
  readonly salt: string
  readonly inputs: readonly OrderInput[]
  readonly output: OrderOutput
  readonly fees: readonly OrderFee[]
}

const strict = { additionalProperties: false }
const slug = () => Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9-]*$' })
const uint = () => Type.String({ maxLength: 128, pattern: '^[0-9]+$' })
const account = () => Type.String({ minLength: 1, maxLength: 128 })
const bytes = () => Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$' })
const deadline = () => Type.Integer({ minimum: 0, maximum: 4_294_967_295 })

/**
 * Shape of an order from outside. No other fields are allowed, since the order id would not cover them; ranges of uint256
 * and address formats are checked when the id is computed.
 */
export const OrderSchema = Type.Object(
  {
    version: Type.Literal('v1'),
    solverChainId: slug(),
    solver: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    salt: Type.String({ maxLength: 128, pattern: '^(0x[0-9a-fA-F]+|[0-9]+)$' }),
    inputs: Type.Array(
      Type.Object(
        {
          payment: Type.Object({ chainId: slug(), currency: account(), amount: uint(), weight: uint() }, strict),
          refunds: Type.Array(
            Type.Object(
              {
                chainId: slug(),
                recipient: account(),
                currency: account(),
                minimumAmount: uint(),
                deadline: deadline(),
                extraData: bytes(),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
    ),
    output: Type.Object(
      {
        chainId: slug(),
        payments: Type.Array(
          Type.Object(
            { recipient: account(), currency: account(), minimumAmount: uint(), expectedAmount: uint() },
            strict,
          ),
        ),
        calls: Type.Array(bytes()),
        deadline: deadline(),
        extraData: bytes(),
      },
      strict,
    ),
    fees: Type.Array(
      Type.Object(
        {
          recipientChainId: slug(),
          recipient: account(),
          currencyChainId: slug(),
          currency: account(),
          amount: uint(),
        },
        strict,
      ),
    ),
  },
  strict,
)

/** Fails to compile when the schema and the type drift apart. */
type Same<A, B extends A> = B
export type OrderFromSchema = Same<Order, Static<typeof OrderSchema>>
