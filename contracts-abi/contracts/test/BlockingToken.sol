// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice Refuses every transfer from or to a blocked account.
contract BlockingToken is TestToken {
    mapping(address => bool) public isBlocked;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    /// @notice Puts an account on the list; anybody may.
    function block(address account) external {
        isBlocked[account] = true;
    }

    function unblock(address account) external {
        isBlocked[account] = false;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!isBlocked[from] && !isBlocked[to], "account is blocked");
        super._move(from, to, value);
    }
}
