export { Client } from "./lib/client.js";
export { Lease } from "./lib/lease.js";
export {
  AccessRefusedError,
  ClientClosedError,
  HoldfastError,
  InvalidRequestError,
  LeaseLostError,
  LockBusyError,
  OutcomeUnknownError,
  StoreUnavailableError,
  StoreUnusableError,
} from "./lib/errors.js";
