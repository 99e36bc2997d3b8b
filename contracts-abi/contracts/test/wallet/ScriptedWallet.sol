// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A contract wallet (ERC-1271) of one key that answers as it was made to.
contract ScriptedWallet {
    enum Mood {
        Honest,
        AlwaysYes,
        AlwaysNo,
        BurnsGas,
        RevertsLong,
        AnswersLong,
        AnswersTwoWords,
        PadsLeft,
        AnswersShort,
        LeavesDirt,
        YesToNobody,
        ByBlock,
        AnswersNothing,
        TakesItsTime,
        BurnsRelayed,
        BurnsSent
    }

    bytes4 private constant MAGIC = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    address public immutable OWNER;
    Mood public immutable MOOD;
    /// @notice Digests that were taken as signed beforehand.
    mapping(bytes32 digest => bool) public prepared;

    constructor(address owner, Mood mood) {
        (OWNER, MOOD) = (owner, mood);
    }

    /// @notice Makes the wallet take a digest as signed from then on, by a signature of the owner for `keccak256(digest)`.
    function prepare(bytes32 digest, bytes calldata signature) external {
        require(_signer(keccak256(abi.encode(digest)), signature) == OWNER, "not by the owner");
        prepared[digest] = true;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        Mood mood = MOOD;
        if (mood == Mood.TakesItsTime) _work(500_000);
        // The account that asks beforehand holds nothing, the one that sends the transaction does.
        if (mood == Mood.BurnsRelayed && tx.origin.balance > 0) _work(4_000_000);
        // Estimates mostly have no gas price.
        if (mood == Mood.BurnsSent && tx.gasprice > 0) _work(gasleft() - 30_000);
        if (mood == Mood.Honest || mood >= Mood.TakesItsTime) {
            return prepared[digest] || _signer(digest, signature) == OWNER ? MAGIC : REFUSED;
        }
        if (mood == Mood.AlwaysYes) return MAGIC;
        if (mood == Mood.AlwaysNo) return REFUSED;
        if (mood == Mood.BurnsGas) while (true) {}
        if (mood == Mood.RevertsLong) _revert(10_000_000);
        if (mood == Mood.AnswersLong) _answer(bytes32(MAGIC), 4_000_000);
        if (mood == Mood.AnswersTwoWords) _answer(bytes32(MAGIC), 64);
        if (mood == Mood.PadsLeft) _answer(bytes32(uint256(uint32(MAGIC))), 32);
        if (mood == Mood.AnswersShort) _answer(bytes32(MAGIC), 4);
        if (mood == Mood.LeavesDirt) _answer(bytes32(MAGIC) | bytes32(uint256(1)), 32);
        // Estimates of wallets come from nobody; some wallets wave them through.
        if (mood == Mood.YesToNobody) return tx.origin == address(0) ? MAGIC : REFUSED;
        if (mood == Mood.ByBlock) return block.number % 2 == 0 ? MAGIC : REFUSED;
        _answer(0, 0);
    }

    function _signer(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(1);
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    }

    function _work(uint256 gas) private view {
        uint256 end = gasleft() - gas;
        while (gasleft() > end) {}
    }

    function _answer(bytes32 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }

    function _revert(uint256 size) private pure {
        assembly {
            revert(0, size)
        }
    }
}
