// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Answers each function with the bytes it was told, however malformed, for tests of readers.
/// A function it was told nothing about reverts.
contract ScriptedToken {
    mapping(bytes4 => bytes) private answers;
    mapping(bytes4 => uint256) private lengths;
    mapping(bytes4 => bool) private endless;

    function say(bytes4 selector, bytes calldata answer) external {
        answers[selector] = answer;
    }

    /// @notice The function answers with a text of so many letters.
    function sayLong(bytes4 selector, uint256 length) external {
        lengths[selector] = length;
    }

    /// @notice The function never ends.
    function loop(bytes4 selector) external {
        endless[selector] = true;
    }

    fallback() external {
        while (endless[msg.sig]) {}
        uint256 length = lengths[msg.sig];
        bytes memory answer = length > 0 ? abi.encode(_letters(length)) : answers[msg.sig];
        require(answer.length > 0, "nothing to say");
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }

    function _letters(uint256 length) private pure returns (bytes memory text) {
        text = new bytes(length);
        for (uint256 i = 0; i < length && i < 1024; ++i) {
            text[i] = "x";
        }
    }
}
