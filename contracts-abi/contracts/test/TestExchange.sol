// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SafeMoves} from "../SafeMoves.sol";

/// @notice An exchange that gives from its stock whatever it is asked for, so that tests choose every price. It may be
/// told to take or to give another amount than it was asked for.
contract TestExchange {
    /// @notice Parts in 10000 of what is asked for that are taken and given.
    uint256 public taken = 10_000;
    uint256 public given = 10_000;

    receive() external payable {}

    function setHonesty(uint256 taken_, uint256 given_) external {
        (taken, given) = (taken_, given_);
    }

    /// @notice Zero addresses mean the native currency; what was attached and is not taken goes back to the caller.
    function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut, address payable to)
        external
        payable
    {
        uint256 take = amountIn * taken / 10_000;
        uint256 give = amountOut * given / 10_000;
        if (tokenIn != address(0)) require(SafeMoves.tryTransferFrom(tokenIn, msg.sender, address(this), take), "not taken");
        else if (msg.value > take) _pay(payable(msg.sender), msg.value - take);
        if (tokenOut != address(0)) require(SafeMoves.tryTransfer(tokenOut, to, give), "not given");
        else _pay(to, give);
    }

    function _pay(address payable to, uint256 amount) private {
        (bool paid,) = to.call{value: amount}("");
        require(paid, "not paid");
    }
}
