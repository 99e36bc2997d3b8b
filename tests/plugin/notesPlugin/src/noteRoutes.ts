import type { Hex } from '@causeway/core'
import { recoverOrderSigner } from '@causeway/core/chain'
import { defineRoute, Hash32, HttpError, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { Pool } from 'pg'
import { noteDigest } from './note.js'
import { findNote, type StoredNote, saveSignature } from './noteTable.js'

const Note = Type.Object({ note: Type.String(), author: Type.String(), signed: Type.Boolean() }, { title: 'Note' })
const params = Type.Object({ requestId: Hash32() })
// CAST: the schema lets only hex through.
const hex = (text: string): Hex => text.toLowerCase() as Hex

const requireNote = async (pool: Pool, requestId: Hex): Promise<StoredNote> => {
  const found = await findNote(pool, requestId)
  if (found === null) throw new HttpError(404, 'No transfer with a note has this id')
  return found
}

const signerOf = (digest: Hex, signature: string): string | null => {
  try {
    return recoverOrderSigner(digest, signature)
  } catch {
    return null
  }
}

/** Reads notes, and takes the signatures of their authors. */
export const noteRoutes = (pool: Pool): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/notes/:requestId',
    summary: 'The note of a transfer',
    tags: ['notes'],
    bucket: 'status',
    auth: 'optional',
    params,
    responses: { 200: Note, 400: MessageSchema, 404: MessageSchema },
    handler: ({ params: { requestId } }) => requireNote(pool, hex(requestId)),
  }),
  defineRoute({
    method: 'POST',
    path: '/notes/:requestId/signature',
    summary: 'Signs a note',
    tags: ['notes'],
    bucket: 'status',
    auth: 'optional',
    params,
    query: Type.Object({ signature: Type.String({ pattern: '^0x[0-9a-fA-F]{130}$' }) }),
    responses: { 200: Note, 400: MessageSchema, 404: MessageSchema },
    handler: async ({ params: given, query }) => {
      const requestId = hex(given.requestId)
      const stored = await requireNote(pool, requestId)
      if (signerOf(noteDigest(stored.note, requestId), query.signature) !== stored.author) {
        throw new HttpError(400, 'The signature is not of the author of this note')
      }
      await saveSignature(pool, requestId, hex(query.signature))
      return { ...stored, signed: true }
    },
  }),
]
