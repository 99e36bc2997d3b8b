// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "./Depository.sol";
import {DepositReceiver, DepositReceiverErrors} from "./DepositReceiver.sol";

/// @notice Gives every pair of order id and depositor an address that money can be sent to, and moves what arrived
/// there into the depository. It holds nothing and has no owner: any account without code may sweep, and only the
/// depository is ever paid.
contract DepositAddressFactory is DepositReceiverErrors {
    error DepositoryCannotBeZero();
    error NoReceiver();
    /// @notice A sweep must be called directly, by an account without code.
    error NotDirect();

    /// @notice The code that the receivers share.
    address public immutable receiverImplementation;

    constructor(Depository depository) {
        if (address(depository) == address(0)) revert DepositoryCannotBeZero();
        receiverImplementation = address(new DepositReceiver(depository));
    }

    /// @notice The address of an order id and a depositor, before and after anything was sent there.
    function computeDepositAddress(bytes32 orderId, address depositor) public view returns (address) {
        bytes32 made = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), _salt(orderId, depositor), keccak256(_receiverCode()))
        );
        return address(uint160(uint256(made)));
    }

    /// @notice Deposits what lies at the address of an order id and a depositor: all of each token (zero: the native
    /// currency, which goes along in any case). What holds nothing is passed over.
    /// @dev The receiver is removed at the end of the transaction, and native currency that reaches it after its sweep
    /// would be destroyed. So the sweep is the whole transaction: neither a contract nor the code of an account (EIP-7702)
    /// can add a payment behind it.
    function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external {
        if (msg.sender != tx.origin || msg.sender.code.length > 0) revert NotDirect();
        address receiver = computeDepositAddress(orderId, depositor);
        if (receiver.code.length == 0) _make(_salt(orderId, depositor));
        DepositReceiver(payable(receiver)).sweep(orderId, depositor, tokens);
    }

    function _salt(bytes32 orderId, address depositor) private pure returns (bytes32) {
        return keccak256(abi.encode(orderId, depositor));
    }

    function _make(bytes32 salt) private {
        bytes memory code = _receiverCode();
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(code, 0x20), mload(code), salt)
        }
        if (made == address(0)) revert NoReceiver();
    }

    /// @dev A minimal proxy (ERC-1167).
    function _receiverCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", receiverImplementation, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
