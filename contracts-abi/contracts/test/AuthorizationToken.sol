// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PermitToken} from "./PermitToken.sol";

interface IWallet {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @notice A token with permits (EIP-2612) and transfers by authorization (EIP-3009), signed by an account, or by a contract
/// (ERC-1271) as a dollar token of many chains takes it.
contract AuthorizationToken is PermitToken {
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) PermitToken(name_, symbol_, decimals_) {}

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _receive(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        _receive(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function _receive(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private {
        require(to == msg.sender, "caller must be the payee");
        require(block.timestamp > validAfter, "authorization is not yet valid");
        require(block.timestamp < validBefore, "authorization is expired");
        require(!authorizationState[from][nonce], "authorization is used or canceled");
        bytes32 hash = keccak256(
            abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        require(_isSigned(from, _digest(hash), signature), "invalid signature");
        authorizationState[from][nonce] = true;
        _move(from, to, value);
    }

    function _isSigned(address owner, bytes32 digest, bytes memory signature) private view returns (bool) {
        if (owner.code.length > 0) return IWallet(owner).isValidSignature(digest, signature) == 0x1626ba7e;
        if (signature.length != 65) return false;
        (bytes32 r, bytes32 s, uint8 v) = (bytes32(0), bytes32(0), uint8(signature[64]));
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
        }
        address signer = ecrecover(digest, v, r, s);
        return signer != address(0) && signer == owner;
    }
}
