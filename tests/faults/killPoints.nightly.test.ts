import { EVERY_PLACE } from './killPlaces.js'
import { testKillPoints } from './killPoints.js'

testKillPoints(EVERY_PLACE.transfers)
