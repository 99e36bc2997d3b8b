// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The cheat codes of forge that the invariants use.
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function deal(address account, uint256 balance) external;
    function etch(address target, bytes calldata code) external;
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function prank(address caller) external;
    function prank(address caller, address origin) external;
    function readFile(string calldata path) external view returns (string memory);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
}

/// @notice What invariants and handlers share.
abstract contract Cheats {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev A revert with this text fails the campaign when an invariant makes it.
    function _equal(uint256 found, uint256 expected, string memory rule) internal pure {
        require(found == expected, rule);
    }

    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}

/// @notice A campaign: forge calls the functions of one handler in any order with any arguments, each call one transaction,
/// and checks every `invariant_` function after each of them.
abstract contract Campaign is Cheats {
    address private handler;

    function targetContracts() external view returns (address[] memory found) {
        found = new address[](1);
        found[0] = handler;
    }

    function _target(address handler_) internal {
        handler = handler_;
    }
}
