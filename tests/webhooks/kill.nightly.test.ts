import { EVERY_WEBHOOK_PLACE, testWebhookKills } from './webhookKills.js'

testWebhookKills(EVERY_WEBHOOK_PLACE)
