// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice Calls `target` in the middle of each transfer and keeps what came of it; the transfer goes on either way.
contract ReentrantToken is TestToken {
    address public target;
    bytes public payload;
    bool public called;
    bool public succeeded;
    bytes public answer;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function arm(address target_, bytes calldata payload_) external {
        (target, payload, called, succeeded, answer) = (target_, payload_, false, false, "");
    }

    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (target != address(0)) {
            called = true;
            (succeeded, answer) = target.call(payload);
        }
    }
}
