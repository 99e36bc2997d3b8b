// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "./Depository.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice Deposits of tokens that just came in: what arrived is deposited, no more and no less.
/// @dev Tokens that lay here before are nobody's deposit.
abstract contract MeasuredDeposit {
    /// @notice The owner holds too little, or the token moves nothing.
    error TransferFromFailed();
    error NothingArrived();
    error DepositFailed();

    /// @param before what this contract held of the token before they came
    function _depositArrived(Depository depository, bytes32 orderId, address owner, address token, uint256 before)
        internal
    {
        uint256 arrived = _held(token) - before;
        if (arrived == 0) revert NothingArrived();
        if (!SafeMoves.tryApprove(token, address(depository), arrived)) revert DepositFailed();
        depository.depositErc20(owner, token, arrived, orderId);
    }

    /// @dev What is no token holds nothing.
    function _held(address token) internal view returns (uint256 amount) {
        (, amount) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, address(this)));
    }
}
