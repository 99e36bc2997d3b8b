import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'

const DAY_MS = 86_400_000

export const webhookOptions = Type.Object(
  {
    retryDelaysSeconds: Type.Array(Type.Integer({ minimum: 0, maximum: 604_800 }), {
      maxItems: 50,
      default: [5, 15, 30, 60, 120, 300, 900, 3_600, 10_800, 21_600],
      description: 'Waits after the first failure, the second and so on, each 20 % shorter or longer at random.',
    }),
    timeoutSeconds: Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 10,
      description: 'How long a receiver may take.',
    }),
    maxInFlight: Type.Integer({
      minimum: 1,
      maximum: 2_000,
      default: 256,
      description: 'Most calls of one process under way.',
    }),
    maxInFlightPerEndpoint: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 32,
      description: 'Most of them to one endpoint.',
    }),
    disableAfterDays: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 3,
      description: 'An endpoint that only failed for so long is turned off.',
    }),
    keepDays: Type.Integer({
      minimum: 7,
      maximum: 3_650,
      default: 30,
      description: 'How long deliveries stay in the log.',
    }),
    signatureTimestamp: Type.Union([Type.Literal('seconds'), Type.Literal('milliseconds')], {
      default: 'seconds',
      description: 'What X-Signature-Timestamp counts in.',
    }),
    allowPrivateTargets: Type.Boolean({
      default: false,
      description:
        'URLs may name hosts of private networks, with any port. Only where every owner of a key is trusted.',
    }),
    caFile: Type.Optional(
      Type.String({
        description:
          'PEM file, by its absolute path, of certificate authorities that receivers may use besides the public ones.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type WebhookOptions = Static<typeof webhookOptions>

/** The options as the parts of the plugin take them. Throws where `caFile` cannot be read. */
export const webhookSettings = (options: WebhookOptions) => ({
  retries: { delaysMs: options.retryDelaysSeconds.map((seconds) => seconds * 1000), jitter: 0.2 },
  timeoutMs: options.timeoutSeconds * 1000,
  slots: { total: options.maxInFlight, perEndpoint: options.maxInFlightPerEndpoint },
  disableAfterMs: options.disableAfterDays * DAY_MS,
  quietMs: Math.max(DAY_MS, 2_000 * Math.max(0, ...options.retryDelaysSeconds)),
  keepDays: options.keepDays,
  timestampUnit: options.signatureTimestamp,
  rules: { allowPrivate: options.allowPrivateTargets },
  ca: options.caFile === undefined ? null : [readFileSync(options.caFile, 'utf8')],
})

export type WebhookSettings = ReturnType<typeof webhookSettings>
