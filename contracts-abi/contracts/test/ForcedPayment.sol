// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Forces native currency onto an account that does not take any.
contract ForcedPayment {
    constructor(address payable to) payable {
        assembly {
            selfdestruct(to)
        }
    }
}
