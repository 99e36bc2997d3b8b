import { ContentSchema, defineRoute, HttpError, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { TrackPreviews } from './trackPreviews.js'

/** `GET /track/{id}/preview.png`: the picture that stands for a link to a transfer. */
export const pictureRoute = (previews: TrackPreviews): Route =>
  defineRoute({
    method: 'GET',
    path: '/track/:id/preview.png',
    summary: 'Picture of a link to a transfer',
    description: '1200 by 630 pixels: its status, and between which chains it goes.',
    tags: ['pages'],
    bucket: 'status',
    auth: 'none',
    etag: true,
    cache: 'public, max-age=60',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
    responses: { 200: ContentSchema('image/png'), 404: MessageSchema },
    handler: async ({ params }) => {
      const picture = await previews.picture(params.id)
      if (picture === null) throw new HttpError(404, 'This transfer is unknown, or this service draws no pictures')
      return picture
    },
  })
