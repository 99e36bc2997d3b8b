import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec'

/** Why a transaction is not applied, or does nothing but cost its fee (`tec`). */
export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

/** @throws Refusal always */
export const refuse = (code: string): never => {
  throw new Refusal(code)
}

/** The number that rippled gives a result beside its name. */
export const resultNumber = (code: string): number =>
  Number(Reflect.get(Object(Reflect.get(DEFAULT_DEFINITIONS.transactionResult, code)), 'ordinal') ?? -399)

/** Whether it stands in a ledger. */
export const isIncluded = (code: string): boolean => code === 'tesSUCCESS' || code.startsWith('tec')

const MESSAGES: Readonly<Record<string, string>> = {
  tesSUCCESS: 'The transaction was applied. Only final in a validated ledger.',
  terQUEUED: 'Held until escalated fee drops.',
  terPRE_SEQ: 'Missing/inapplicable prior transaction.',
  terPRE_TICKET: 'Ticket is not yet in ledger.',
  terNO_ACCOUNT: 'The source account does not exist.',
  terINSUF_FEE_B: "Account balance can't pay fee.",
  tefALREADY: 'The exact transaction was already in this ledger.',
  tefPAST_SEQ: 'This sequence number has already passed.',
  tefMAX_LEDGER: 'Ledger sequence too high.',
  tefBAD_AUTH: "Transaction's public key is not authorized.",
  tefMASTER_DISABLED: 'Master key is disabled.',
  tefNO_TICKET: 'Ticket is not in ledger.',
  telINSUF_FEE_P: 'Fee insufficient.',
  telCAN_NOT_QUEUE_FEE: 'Can not queue at this time: fee insufficient to replace queued transaction.',
  telCAN_NOT_QUEUE_FULL: 'Can not queue at this time: queue is full.',
  telREQUIRES_NETWORK_ID: 'Transactions submitted to this node/network must include a correct NetworkID field.',
  telWRONG_NETWORK: 'Transaction specifies a Network ID that differs from that of the local node.',
  telNETWORK_ID_MAKES_TX_NON_CANONICAL:
    'Transactions submitted to this node/network must NOT include a NetworkID field.',
  tecUNFUNDED_PAYMENT: 'Insufficient XRP balance to send.',
  tecPATH_PARTIAL: 'Path could not send full amount.',
  tecPATH_DRY: 'Path could not send partial amount.',
  tecNO_DST: 'Destination does not exist. It must be created.',
  tecNO_DST_INSUF_XRP: 'Destination does not exist. Too little XRP sent to create it.',
  tecDST_TAG_NEEDED: 'A destination tag is required.',
  tecNO_PERMISSION: 'No permission to perform requested operation.',
  tecNO_LINE_INSUF_RESERVE: 'No such line. Too little reserve to create it.',
  tecINSUFFICIENT_RESERVE: 'Insufficient reserve to complete requested operation.',
  temREDUNDANT: 'The transaction is redundant.',
  temBAD_AMOUNT: 'Malformed: Bad amount.',
  temBAD_FEE: 'Invalid fee, negative or not XRP.',
  temINVALID: 'The transaction is ill-formed.',
}

export const resultMessage = (code: string): string => MESSAGES[code] ?? code
