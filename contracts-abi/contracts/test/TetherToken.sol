// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice A token in the style of USDT on Tron: a `transfer` that succeeds returns false, an allowance that is not zero must be
/// reset to zero first, blocked accounts cannot send, and a fee can be switched on.
contract TetherToken is TestToken {
    mapping(address => bool) public isBlackListed;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    /// @dev Receives the fees.
    address public constant OWNER = address(0xFEE);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function addBlackList(address account) external {
        isBlackListed[account] = true;
    }

    function removeBlackList(address account) external {
        isBlackListed[account] = false;
    }

    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external {
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee;
    }

    function approve(address spender, uint256 value) external override returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        _move(msg.sender, to, value);
        return false;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!isBlackListed[from]);
        uint256 fee = (value * basisPointsRate) / 10_000;
        if (fee > maximumFee) fee = maximumFee;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, OWNER, fee);
    }
}
