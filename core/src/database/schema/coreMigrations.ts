import type { Migration } from '../migrate.js'
import { appBalancesSql } from './appBalancesSql.js'
import { assignedDepositsSql } from './assignedDepositsSql.js'
import { attemptReorgsSql } from './attemptReorgsSql.js'
import { claimsSql } from './claimsSql.js'
import { currencyFeeSql } from './currencyFeeSql.js'
import { dayPartitionsSql } from './dayPartitionsSql.js'
import { depositAddressesSql } from './depositAddressesSql.js'
import { depositGroundSql } from './depositGroundSql.js'
import { directTransactionsSql } from './directTransactionsSql.js'
import { fastFillsSql } from './fastFillsSql.js'
import { feeSourceSql } from './feeSourceSql.js'
import { fillChargesSql } from './fillChargesSql.js'
import { holdersSql } from './holdersSql.js'
import { holdSlotsSql } from './holdSlotsSql.js'
import { idempotencySql } from './idempotencySql.js'
import { idleWritesSql } from './idleWritesSql.js'
import { integratorFeesSql } from './integratorFeesSql.js'
import { inventorySql } from './inventorySql.js'
import { laneSpendingSql } from './laneSpendingSql.js'
import { ledgerSql } from './ledgerSql.js'
import { movedTransactionsSql } from './movedTransactionsSql.js'
import { nonceMappingsSql } from './nonceMappingsSql.js'
import { operatorAuditSql } from './operatorAuditSql.js'
import { orderFactsSql } from './orderFactsSql.js'
import { outboxSql } from './outboxSql.js'
import { parkedEntriesSql } from './parkedEntriesSql.js'
import { payoutsSql } from './payoutsSql.js'
import { providerAlertsSql } from './providerAlertsSql.js'
import { recordsSql } from './recordsSql.js'
import { requestsSql } from './requestsSql.js'
import { reservedBalancesSql } from './reservedBalancesSql.js'
import { retentionSql } from './retentionSql.js'
import { serverHistorySql } from './serverHistorySql.js'
import { servicesSql } from './servicesSql.js'
import { sharedTransactionsSql } from './sharedTransactionsSql.js'
import { toldRecordsSql } from './toldRecordsSql.js'
import { topupsSql } from './topupsSql.js'
import { troublesSql } from './troublesSql.js'
import { txLocatorsSql } from './txLocatorsSql.js'
import { walletBooksSql } from './walletBooksSql.js'
import { walletOrdersSql } from './walletOrdersSql.js'

/** Core's tables. A released migration never changes; add one instead. */
export const coreMigrations: readonly Migration[] = [
  { name: '0001_services', up: servicesSql },
  { name: '0002_requests', up: requestsSql },
  { name: '0003_payouts', up: payoutsSql },
  { name: '0004_ledger', up: ledgerSql },
  { name: '0005_inventory', up: inventorySql },
  { name: '0006_hold_slots', up: holdSlotsSql, breaking: true },
  { name: '0007_operator_audit', up: operatorAuditSql },
  { name: '0008_lane_spending', up: laneSpendingSql },
  { name: '0009_provider_alerts', up: providerAlertsSql },
  { name: '0010_currency_fee', up: currencyFeeSql },
  { name: '0011_direct_transactions', up: directTransactionsSql },
  { name: '0012_idempotency', up: idempotencySql },
  { name: '0013_records', up: recordsSql },
  { name: '0014_outbox', up: outboxSql },
  { name: '0015_moved_transactions', up: movedTransactionsSql },
  { name: '0016_day_partitions', up: dayPartitionsSql },
  { name: '0017_given_deposits', up: assignedDepositsSql },
  { name: '0018_deposit_ground', up: depositGroundSql },
  { name: '0019_wallet_books', up: walletBooksSql },
  { name: '0020_server_history', up: serverHistorySql, breaking: true },
  { name: '0021_fill_charges', up: fillChargesSql },
  { name: '0022_topups', up: topupsSql },
  { name: '0023_troubles', up: troublesSql },
  { name: '0024_order_facts', up: orderFactsSql },
  { name: '0025_retention', up: retentionSql },
  { name: '0026_idle_writes', up: idleWritesSql },
  { name: '0027_holders', up: holdersSql },
  { name: '0028_told_records', up: toldRecordsSql },
  { name: '0029_integrator_fees', up: integratorFeesSql },
  { name: '0030_tx_locators', up: txLocatorsSql },
  { name: '0031_reserved_balances', up: reservedBalancesSql },
  { name: '0032_attempt_reorgs', up: attemptReorgsSql },
  { name: '0033_shared_transactions', up: sharedTransactionsSql, breaking: true },
  { name: '0034_parked_entries', up: parkedEntriesSql },
  { name: '0035_wallet_orders', up: walletOrdersSql },
  { name: '0036_deposit_addresses', up: depositAddressesSql },
  { name: '0037_fee_source', up: feeSourceSql },
  { name: '0038_app_balances', up: appBalancesSql },
  { name: '0039_fast_fills', up: fastFillsSql },
  { name: '0040_claims', up: claimsSql },
  { name: '0041_nonce_mappings', up: nonceMappingsSql },
]
