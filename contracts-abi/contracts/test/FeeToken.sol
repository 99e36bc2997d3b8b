// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice Burns 1% of every transfer, so 100 sent arrive as 99.
contract FeeToken is TestToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = value / 100;
        super._move(from, to, value - fee);
        require(balanceOf[from] >= fee, "balance too low");
        balanceOf[from] -= fee;
        totalSupply -= fee;
        emit Transfer(from, address(0), fee);
    }
}
