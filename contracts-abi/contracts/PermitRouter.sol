// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "./Depository.sol";
import {MeasuredDeposit} from "./MeasuredDeposit.sol";
import {PermitReceiver} from "./PermitReceiver.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice Permit2, as far as it is used here.
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// @notice Brings tokens into the depository that their owner only signed for. What is signed commits to the order id, so
/// that it makes no difference who submits it: the tokens go into the depository under that id, or stay where they are.
/// Extra bytes at the end of the calldata are ignored, so they can carry an order id.
/// @dev It obeys nobody, holds nothing and has no allowance of anybody. Each owner deposits each token once under an order id.
contract PermitRouter is MeasuredDeposit {
    /// @param amount all that is taken of the owner
    /// @param deadline last second at which it may be taken (with EIP-3009 the second before it)
    struct Terms {
        bytes32 orderId;
        address owner;
        address token;
        uint256 amount;
        uint256 deadline;
    }

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    struct SplitSignature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    error DepositoryCannotBeZero();
    error Reentrancy();
    error PermitExpired();
    error AlreadyDeposited();
    error NoReceiver();
    /// @param reason what token or Permit2 answered, cut at 4096 bytes
    error PermitRefused(bytes reason);

    bytes32 private constant WITNESS_TYPEHASH = keccak256("DepositWitness(address depository,bytes32 orderId)");

    string private constant WITNESS_TYPE =
        "DepositWitness witness)DepositWitness(address depository,bytes32 orderId)TokenPermissions(address token,uint256 amount)";

    string private constant AUTHORIZE = "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)";

    string private constant AUTHORIZE_SPLIT =
        "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)";

    string private constant PERMIT = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)";

    uint256 private constant SPLIT_LENGTH = 65;

    Depository public immutable depository;

    address public immutable permit2;

    /// @notice The code that the receivers share.
    address public immutable receiverImplementation;

    /// @notice Keys (`depositKey`) under which a deposit was made.
    mapping(bytes32 key => bool made) public deposited;

    bool private transient locked;

    /// @dev Each of the terms' key once, and one at a time.
    modifier once(Terms calldata terms) {
        if (locked) revert Reentrancy();
        if (block.timestamp > terms.deadline) revert PermitExpired();
        bytes32 key = depositKey(terms.orderId, terms.owner, terms.token);
        if (deposited[key]) revert AlreadyDeposited();
        locked = true;
        deposited[key] = true;
        _;
        locked = false;
    }

    constructor(Depository depository_, address permit2_) {
        if (address(depository_) == address(0)) revert DepositoryCannotBeZero();
        depository = depository_;
        permit2 = permit2_;
        receiverImplementation = address(new PermitReceiver(depository_));
    }

    /// @notice EIP-3009: the owner signed `ReceiveWithAuthorization` to this contract, from second 0 to the deadline, with the
    /// key as its nonce. A signature of 65 bytes goes to the token as `v, r, s` first, any other as it is.
    function depositAuthorized(Terms calldata terms, bytes calldata signature) external once(terms) {
        uint256 before = _held(terms.token);
        _authorize(terms, signature);
        _depositArrived(depository, terms.orderId, terms.owner, terms.token, before);
    }

    /// @notice EIP-2612: the owner signed `Permit` for the receiver of the terms. Whoever submitted that to the token before
    /// changed nothing.
    function depositPermitted(Terms calldata terms, bytes calldata signature) external once(terms) {
        address receiver = receiverOf(terms);
        _permit(terms, receiver, signature);
        _make(_salt(terms));
        PermitReceiver(receiver).deposit(terms.orderId, terms.owner, terms.token, terms.amount);
    }

    /// @notice Permit2: the owner signed `PermitBatchWitnessTransferFrom` of the one token for this contract, with the key as its
    /// nonce, and depository and order id in the witness.
    function depositWithPermit2(Terms calldata terms, bytes calldata signature) external once(terms) {
        uint256 before = _held(terms.token);
        (bool done, bytes memory reason) = SafeMoves.call(permit2, 0, gasleft(), _permit2Call(terms, signature));
        if (!done) revert PermitRefused(reason);
        _depositArrived(depository, terms.orderId, terms.owner, terms.token, before);
    }

    /// @notice What a deposit is known by; it is the nonce of EIP-3009 and Permit2.
    function depositKey(bytes32 orderId, address owner, address token) public pure returns (bytes32) {
        return keccak256(abi.encode(orderId, owner, token));
    }

    /// @notice Who may take the token by an EIP-2612 permit of these terms; nothing is there before.
    function receiverOf(Terms calldata terms) public view returns (address) {
        bytes32 made = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), _salt(terms), keccak256(_receiverCode()))
        );
        return address(uint160(uint256(made)));
    }

    function _authorize(Terms calldata terms, bytes calldata signature) private {
        bytes memory reason;
        if (signature.length == SPLIT_LENGTH) {
            bytes memory first = abi.encodeWithSignature(AUTHORIZE_SPLIT, _authorization(terms), _split(signature));
            bool taken;
            (taken, reason) = SafeMoves.call(terms.token, 0, gasleft(), first);
            if (taken) return;
        }
        bytes memory data = abi.encodeWithSignature(
            AUTHORIZE,
            terms.owner,
            address(this),
            terms.amount,
            0,
            terms.deadline,
            depositKey(terms.orderId, terms.owner, terms.token),
            signature
        );
        (bool done, bytes memory other) = SafeMoves.call(terms.token, 0, gasleft(), data);
        // A token that has no such function says nothing.
        if (!done) revert PermitRefused(other.length > 0 ? other : reason);
    }

    /// @dev As the token's function takes them: the members of a struct without dynamic ones are encoded as arguments are.
    function _authorization(Terms calldata terms) private view returns (Authorization memory) {
        bytes32 key = depositKey(terms.orderId, terms.owner, terms.token);
        return Authorization(terms.owner, address(this), terms.amount, 0, terms.deadline, key);
    }

    /// @dev A permit that fails does so because it was submitted before, or it is none: the allowance tells.
    function _permit(Terms calldata terms, address receiver, bytes calldata signature) private {
        bytes memory reason;
        if (signature.length == SPLIT_LENGTH) {
            bytes memory data = abi.encodeWithSignature(
                PERMIT, terms.owner, receiver, terms.amount, terms.deadline, _split(signature)
            );
            bool done;
            (done, reason) = SafeMoves.call(terms.token, 0, gasleft(), data);
            if (done) return;
        }
        (bool known, uint256 allowed) =
            SafeMoves.readWord(terms.token, abi.encodeWithSelector(0xdd62ed3e, terms.owner, receiver));
        if (!known || allowed < terms.amount) revert PermitRefused(reason);
    }

    function _permit2Call(Terms calldata terms, bytes calldata signature) private view returns (bytes memory) {
        IPermit2.PermitBatchTransferFrom memory permit;
        permit.permitted = new IPermit2.TokenPermissions[](1);
        permit.permitted[0] = IPermit2.TokenPermissions(terms.token, terms.amount);
        permit.nonce = uint256(depositKey(terms.orderId, terms.owner, terms.token));
        permit.deadline = terms.deadline;
        IPermit2.SignatureTransferDetails[] memory details = new IPermit2.SignatureTransferDetails[](1);
        details[0] = IPermit2.SignatureTransferDetails(address(this), terms.amount);
        bytes32 witness = keccak256(abi.encode(WITNESS_TYPEHASH, address(depository), terms.orderId));
        return abi.encodeCall(
            IPermit2.permitWitnessTransferFrom, (permit, details, terms.owner, witness, WITNESS_TYPE, signature)
        );
    }

    function _split(bytes calldata signature) private pure returns (SplitSignature memory) {
        return SplitSignature(uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    }

    /// @dev Amount and deadline are in it: nobody can take less than was signed for, or take it later.
    function _salt(Terms calldata terms) private pure returns (bytes32) {
        return keccak256(abi.encode(terms.orderId, terms.owner, terms.token, terms.amount, terms.deadline));
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
