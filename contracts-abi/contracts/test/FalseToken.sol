// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice Answers false, instead of reverting, when a transfer is not possible. While `refusing` is set no transfer is.
contract FalseToken is TestToken {
    bool public refusing;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function setRefusing(bool value) external {
        refusing = value;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        if (refusing || balanceOf[msg.sender] < value) return false;
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external override returns (bool) {
        if (refusing || balanceOf[from] < value || allowance[from][msg.sender] < value) return false;
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}
