export { deploymentMigrations as hostMigrations } from '@causeway/core/plugin'
