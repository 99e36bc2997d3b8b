// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A worthless token that logs as many transfers to an address as it is told, one unit each, and moves nothing:
/// the cheapest way to fill a block with what looks like deposits.
contract TransferFlood {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function flood(address to, uint256 count) external {
        for (uint256 i = 0; i < count; ++i) {
            emit Transfer(msg.sender, to, 1);
        }
    }
}
