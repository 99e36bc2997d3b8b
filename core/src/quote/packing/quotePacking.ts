import { deflateRawSync, inflateRawSync, constants as zlib } from 'node:zlib'
import { QUOTE_DICTIONARY } from '../../database/schema/packedQuotesSql.js'

/** JSON texts of a quote, in the order in which they are packed. */
export interface QuoteTexts {
  readonly terms: string
  readonly body: string
  readonly quoted: string
  readonly order_data: string
}

/** Ids and texts as a row of `quote_rows` has them: either `packed` or the texts. */
export interface PackedQuote extends Record<keyof QuoteTexts, string | null> {
  readonly id: Buffer
  readonly order_id: Buffer
  readonly packed: Buffer | null
}

/** SQL columns of a `PackedQuote`. */
export const PACKED_COLUMNS = 'id, order_id, packed, terms, body, quoted, order_data'

/** JSON text has no control characters. */
const SEPARATOR = '\u001e'
/** Larger quotes stay texts: PostgreSQL compresses them well, and zlib would write several blocks. */
const MAX_BYTES = 16_000
const LAST_BLOCK_OF_FIXED_CODES = 0b011

type Ids = Pick<PackedQuote, 'id' | 'order_id'>

/** Most quotes name both ids, which are columns of their row. */
const dictionaryOf = ({ id, order_id }: Ids): Buffer =>
  Buffer.from(QUOTE_DICTIONARY + id.toString('hex') + order_id.toString('hex'))

/** Deflates texts as `unpack_quote` of `packedQuotesSql.ts` reads them; null for texts that it could not read. */
export const packQuote = (ids: Ids, { terms, body, quoted, order_data }: QuoteTexts): Buffer | null => {
  const texts = [terms, body, quoted, order_data]
  const joined = Buffer.from(texts.join(SEPARATOR))
  if (joined.length > MAX_BYTES || texts.some((text) => text.includes(SEPARATOR))) return null
  const packed = deflateRawSync(joined, { strategy: zlib.Z_FIXED, dictionary: dictionaryOf(ids) })
  return ((packed[0] ?? 0) & 0b111) === LAST_BLOCK_OF_FIXED_CODES ? packed : null
}

/** Texts of a stored quote. */
export const unpackQuote = ({ packed, terms, body, quoted, order_data, ...ids }: PackedQuote): QuoteTexts => {
  const texts =
    packed === null
      ? []
      : inflateRawSync(packed, { dictionary: dictionaryOf(ids) })
          .toString()
          .split(SEPARATOR)
  return {
    terms: terms ?? texts[0] ?? '',
    body: body ?? texts[1] ?? '',
    quoted: quoted ?? texts[2] ?? '',
    order_data: order_data ?? texts[3] ?? '',
  }
}
