import { computeOrderId, type Order } from '@causeway/core/chain'
import { hashStruct } from 'viem'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const ADDRESS = '0x4ec2153fd5918ce262ca0caaac911796f7c3390b'
const CURRENCY = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

/** Of EVM chains with lower-case addresses, so that viem may hash it as it stands. */
const ORDER: Order = {
  version: 'v1',
  solverChainId: 'base',
  solver: ADDRESS,
  salt: `0x${'9a'.repeat(32)}`,
  inputs: [
    {
      payment: { chainId: 'base', currency: CURRENCY, amount: '1000000', weight: '1' },
      refunds: [
        {
          chainId: 'base',
          recipient: ADDRESS,
          currency: CURRENCY,
          minimumAmount: '1',
          deadline: 1_900_000_000,
          extraData: '0x',
        },
      ],
    },
  ],
  output: {
    chainId: 'optimism',
    payments: [{ recipient: ADDRESS, currency: CURRENCY, minimumAmount: '990000', expectedAmount: '995000' }],
    deadline: 1_900_000_000,
    calls: [],
    extraData: '0x',
  },
  fees: [{ recipientChainId: 'base', recipient: ADDRESS, currencyChainId: 'base', currency: CURRENCY, amount: '1000' }],
}

/** The EIP-712 types of an order, as `encodeType` writes them. */
const TYPES = [
  'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)',
  'Input(InputPayment payment,InputRefund[] refunds)',
  'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)',
  'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)',
  'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)',
  'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)',
  'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)',
]

const types = Object.fromEntries(
  TYPES.map((text) => {
    const [name = '', fields = ''] = text.split(/[()]/)
    return [
      name,
      fields.split(',').map((field) => {
        const [type = '', fieldName = ''] = field.split(' ')
        return { type, name: fieldName }
      }),
    ]
  }),
)

/** (d) Order ids a second, against viem's `hashStruct` of the same order. */
export const measureOrderIds = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const chains = { base: 'ethereum-vm', optimism: 'ethereum-vm' }
  const ours = () => computeOrderId(ORDER, chains)
  const theirs = () => hashStruct({ data: { ...ORDER }, primaryType: 'Order', types })
  if (ours() !== theirs()) throw new Error('The two order ids differ.')
  const perSecond = (work: () => unknown, times: number) => async () => {
    const startedAt = performance.now()
    for (let time = 0; time < times; time += 1) work()
    return { perSecond: (times * 1_000) / (performance.now() - startedAt) }
  }
  const contestants = { ours: perSecond(ours, scale.requests), viem: perSecond(theirs, scale.requests / 5) }
  await contestants.ours()
  await contestants.viem()
  const results = await interleave(scale.rounds, contestants, (round) => say(`order ids: round ${round + 1}`))
  return [
    {
      case: 'd',
      what: 'order ids',
      unit: '/s',
      value: results.ours.perSecond ?? Number.NaN,
      floor: results.viem.perSecond ?? Number.NaN,
      floorIs: 'viem hashStruct',
      target: { of: 'ratio', limit: 5, better: 'more' },
    },
  ]
}
