// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownership} from "./Ownership.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice Holds deposits on an origin chain. Anybody deposits against an order id; funds leave only by a request
/// that the allocator signed. Extra bytes at the end of the calldata are ignored, so they can carry an order id.
/// @dev There is no receive function: a plain transfer of the native currency has no order id and reverts.
contract Depository is Ownership {
    struct Call {
        address to;
        bytes data;
        uint256 value;
        bool allowFailure;
    }

    struct CallRequest {
        Call[] calls;
        uint256 nonce;
        uint256 expiration;
    }

    struct CallResult {
        bool success;
        bytes returnData;
    }

    error AddressCannotBeZero();
    error InvalidSignature();
    error CallRequestExpired();
    error CallRequestAlreadyUsed();
    error CallFailed(bytes returnData);
    error TransferFromFailed();
    error Reentrancy();

    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
    event RelayCallExecuted(bytes32 id, Call call);

    bytes32 public constant _CALL_TYPEHASH =
        keccak256("Call(address to,bytes data,uint256 value,bool allowFailure)");

    bytes32 public constant _CALL_REQUEST_TYPEHASH = keccak256(
        "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)Call(address to,bytes data,uint256 value,bool allowFailure)"
    );

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    string private constant NAME = "RelayDepository";
    string private constant VERSION = "1";

    /// @dev A higher `s` would be a second valid signature for the same request.
    uint256 private constant HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    bytes4 private constant ERC1271_MAGIC = 0x1626ba7e;

    /// @notice The account or contract whose signature releases funds.
    address public allocator;

    /// @notice Struct hashes of the requests that were executed.
    mapping(bytes32 structHash => bool used) public callRequests;

    bool private transient locked;

    /// @dev Also stops a signed request from calling a deposit function of this contract,
    /// which would announce a deposit although no money came in.
    modifier nonReentrant() {
        if (locked) revert Reentrancy();
        locked = true;
        _;
        locked = false;
    }

    constructor(address initialOwner, address initialAllocator) {
        if (initialOwner == address(0)) revert AddressCannotBeZero();
        _setOwner(initialOwner);
        _setAllocator(initialAllocator);
    }

    function setAllocator(address newAllocator) external onlyOwner {
        _setAllocator(newAllocator);
    }

    /// @notice Deposits the attached value for `depositor` (zero: the caller).
    function depositNative(address depositor, bytes32 id) external payable nonReentrant {
        emit RelayNativeDeposit(_orCaller(depositor), msg.value, id);
    }

    /// @notice Deposits `amount` of `token` for `depositor` (zero: the caller).
    /// @dev The event repeats the argument; what arrived is in the token's Transfer log and may be less.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external nonReentrant {
        _pull(depositor, token, amount, id);
    }

    /// @notice Deposits the caller's whole allowance of `token` for `depositor` (zero: the caller).
    function depositErc20(address depositor, address token, bytes32 id) external nonReentrant {
        (bool ok, uint256 amount) =
            SafeMoves.readWord(token, abi.encodeWithSelector(0xdd62ed3e, msg.sender, address(this)));
        if (!ok) revert TransferFromFailed();
        _pull(depositor, token, amount, id);
    }

    /// @notice Runs the calls of a request that the allocator signed; anybody may submit it, once.
    /// @return results one entry per call; returned data is cut at 4096 bytes
    function execute(CallRequest calldata request, bytes calldata signature)
        external
        nonReentrant
        returns (CallResult[] memory results)
    {
        if (request.expiration < block.timestamp) revert CallRequestExpired();
        bytes32 structHash = _hashRequest(request);
        if (!_isSignedByAllocator(structHash, signature)) revert InvalidSignature();
        if (callRequests[structHash]) revert CallRequestAlreadyUsed();
        callRequests[structHash] = true;

        results = new CallResult[](request.calls.length);
        for (uint256 i = 0; i < request.calls.length; ++i) {
            Call calldata item = request.calls[i];
            (bool success, bytes memory returned) = _run(item);
            if (success) {
                emit RelayCallExecuted(structHash, item);
            } else if (!item.allowFailure) {
                revert CallFailed(returned);
            }
            results[i] = CallResult(success, returned);
        }
    }

    /// @notice The signing domain (ERC-5267).
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", NAME, VERSION, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    /// @dev A token that answers false, or true without moving anything, must not use a request up: its transfer counts
    /// as failed. One that takes a fee has moved what left this contract.
    function _run(Call calldata item) private returns (bool success, bytes memory returned) {
        if (!_isTransfer(item)) return SafeMoves.call(item.to, item.value, gasleft(), item.data);
        (bool known, uint256 held) = _tokensHere(item.to);
        (success, returned) = SafeMoves.call(item.to, item.value, gasleft(), item.data);
        if (returned.length > 0 && (returned.length < 32 || bytes32(returned) != bytes32(uint256(1)))) success = false;
        if (!success || !known) return (success && item.to.code.length > 0, returned);
        (, uint256 left) = _tokensHere(item.to);
        success = left < held;
    }

    /// @dev `transfer(address to, uint256 amount)` of something, to somebody else.
    function _isTransfer(Call calldata item) private view returns (bool) {
        if (item.data.length < 68 || bytes4(item.data) != 0xa9059cbb) return false;
        return address(uint160(uint256(bytes32(item.data[4:36])))) != address(this) && bytes32(item.data[36:68]) != 0;
    }

    function _tokensHere(address token) private view returns (bool known, uint256 amount) {
        return SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, address(this)));
    }

    function _orCaller(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    function _pull(address depositor, address token, uint256 amount, bytes32 id) private {
        if (!SafeMoves.tryTransferFrom(token, msg.sender, address(this), amount)) revert TransferFromFailed();
        emit RelayErc20Deposit(_orCaller(depositor), token, amount, id);
    }

    function _setAllocator(address newAllocator) private {
        if (newAllocator == address(0)) revert AddressCannotBeZero();
        allocator = newAllocator;
    }

    function _hashRequest(CallRequest calldata request) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](request.calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            Call calldata item = request.calls[i];
            hashes[i] = keccak256(
                abi.encode(_CALL_TYPEHASH, item.to, keccak256(item.data), item.value, item.allowFailure)
            );
        }
        return keccak256(
            abi.encode(
                _CALL_REQUEST_TYPEHASH, keccak256(abi.encodePacked(hashes)), request.nonce, request.expiration
            )
        );
    }

    /// @dev Computed each time, so that it follows the chain id after a chain split.
    function _domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256(bytes(NAME)), keccak256(bytes(VERSION)), block.chainid, address(this)
            )
        );
    }

    function _isSignedByAllocator(bytes32 structHash, bytes calldata signature) private view returns (bool) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _domainSeparator(), structHash));
        address signer = allocator;
        if (signer.code.length > 0) {
            (bool ok, uint256 answer) =
                SafeMoves.readWord(signer, abi.encodeWithSelector(ERC1271_MAGIC, digest, signature));
            return ok && bytes32(answer) == bytes32(ERC1271_MAGIC);
        }
        if (signature.length != 65) return false;
        uint8 v = uint8(signature[64]);
        if (v != 27 && v != 28) return false;
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HIGHEST_S) return false;
        // A failed recovery gives the zero address, which can never be the allocator.
        return ecrecover(digest, v, bytes32(signature[:32]), s) == signer;
    }
}
