// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "./Depository.sol";
import {MeasuredDeposit} from "./MeasuredDeposit.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice Stands at the address that an owner allowed to take a token (EIP-2612): its address is made of the order id and all
/// other terms, so that whoever signs for it signs for them. It takes the amount of the terms once, and deposits it.
contract PermitReceiver is MeasuredDeposit {
    error Unauthorized();

    address private immutable ROUTER = msg.sender;
    Depository private immutable DEPOSITORY;

    constructor(Depository depository) {
        DEPOSITORY = depository;
    }

    /// @dev The terms are those of the address: the router finds it by them.
    function deposit(bytes32 orderId, address owner, address token, uint256 amount) external {
        if (msg.sender != ROUTER) revert Unauthorized();
        uint256 before = _held(token);
        if (!SafeMoves.tryTransferFrom(token, owner, address(this), amount)) revert TransferFromFailed();
        _depositArrived(DEPOSITORY, orderId, owner, token, before);
    }
}
