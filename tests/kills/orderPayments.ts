/** Successful payments of the service that carry an order's id, and withdrawals of its deposit, as a node lists them. */
export interface OrderPayments {
  readonly paid: number
  readonly withdrawn: number
}
