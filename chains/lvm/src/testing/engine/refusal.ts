/** Codes and messages of the exchange's errors. */
const ERRORS = {
  invalidParam: [20001, 'invalid param'],
  invalidAuth: [20013, 'invalid auth'],
  invalidInfo: [21100, 'invalid tx info'],
  unknownType: [21101, 'unsupported tx type'],
  accountNotFound: [21102, 'account not found'],
  expired: [21103, 'transaction expired'],
  invalidNonce: [21104, 'invalid nonce'],
  keyNotFound: [21109, 'api key not found'],
  invalidAsset: [21110, 'invalid asset index'],
  invalidMemo: [21111, 'invalid memo length'],
  invalidFee: [21112, 'invalid transfer fee'],
  invalidRoute: [21113, 'invalid route type'],
  invalidAmount: [21114, 'invalid transfer amount'],
  invalidKey: [21115, 'invalid public key'],
  invalidSignature: [21120, 'invalid signature'],
  invalidOwnerSignature: [21121, 'invalid L1 signature'],
  lowBalance: [21130, 'not enough balance to transfer'],
  transactionNotFound: [21500, 'transaction not found'],
  blockNotFound: [21501, 'block not found'],
} as const

export type RefusalName = keyof typeof ERRORS

/** An error that the exchange answers. */
export class Refusal extends Error {
  readonly code: number

  constructor(name: RefusalName, detail = '') {
    const [code, text] = ERRORS[name]
    super(detail === '' ? text : `${text}: ${detail}`)
    this.code = code
  }
}

/** @throws Refusal if the condition is false */
export function need(condition: boolean, name: RefusalName, detail?: string): asserts condition {
  if (!condition) throw new Refusal(name, detail)
}
