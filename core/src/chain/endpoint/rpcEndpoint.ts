/** A node's addresses, as the configuration lists them. */
export interface RpcEndpoint {
  readonly http: string
  readonly ws?: string
  /** Endpoints of one provider count once towards agreement (invariant 3). */
  readonly provider?: string
}
