import { PublicKey, TransactionInstruction } from '@solana/web3.js'

/** The program that only logs its text, so that a transaction can carry an order id. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

const program = new PublicKey(MEMO_PROGRAM)

/** An instruction that carries a text; it needs no account and no signature of its own. */
export const memoInstruction = (text: string): TransactionInstruction =>
  new TransactionInstruction({ keys: [], programId: program, data: Buffer.from(text, 'utf8') })
