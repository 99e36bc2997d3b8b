import { SHORT_WEBHOOK_WALK, testWebhookKills } from './webhookKills.js'

testWebhookKills(SHORT_WEBHOOK_WALK)
