/**
 * The dictionary that quotes are packed with (`quotePacking.ts`): keys and runs of values that most quotes have. It is part of the
 * stored format and never changes; another dictionary needs another column.
 */
export const QUOTE_DICTIONARY = [
  '{"kind":"app","bps":"","amount":"","fromDeposit":"","worth":""}"earnings":{"chainId":,"currency":"","list":["sponsorship',
  '":{"wallet":"0x","chainId":"rateCost":""integratorFee":{"integratorId":""prices":{"origin":"","destination":"},"calls":{',
  '"calls":[{"to":"0x","value":"","data":"0x"}],"gasLimit":null,"delegations":[]},"topup":{"currency":"0x000000000000000000',
  '0000000000000000000000","amount":""},"direct":{"kind":""},"address":{"type":"open","refundToSender":false}"referrer":"",',
  '"useReceiver":true,"slippageTolerance":"","appFees":[{"recipient":"0x","fee":""}],"txs":[{"to":"0x","value":"0","data":"',
  '0x"}],"topupGas":true,"currencyGasTopup":{"currency":{"gas_top_up","app_fees","EXACT_OUTPUT""EXPECTED_OUTPUT"{"version":',
  '"v1","solverChainId":"","solver":"0x","salt":"0x","inputs":[{"payment":{"chainId":"","currency":"0x","amount":"","weight',
  '":""},"refunds":[{"chainId":"","recipient":"0x","currency":"0x","minimumAmount":"0","deadline":,"extraData":"0x"}]}],"ou',
  'tput":{"chainId":"","payments":[{"recipient":"0x","currency":"0x","minimumAmount":"","expectedAmount":""}],"calls":[],"d',
  'eadline":,"extraData":"0x"},"fees":{"user":"0x","recipient":"0x","originChainId":,"destinationChainId":,"originCurrency"',
  ':"0x","destinationCurrency":"0x","amount":"","tradeType":{"requestId":"0x","orderId":"0x","tradeType":"EXACT_INPUT","use',
  'r":"0x","recipient":"0x","refundTo":"0x","origin":{"chainId":,"currency":"0x"},"destination":{"chainId":,"currency":"0x"',
  '},"amountIn":"","minimumIn":"","amountOut":"","minimumOut":"","fillCost":"","networkFee":"","feesIn":"","quotedAt":,"pri',
  'ceUntil":,"orderDeadline":,"fillBy":null,"latePaymentSlippageBps":,"trueExactOutput":false,"forceRefund":{"requestType":',
  '"Bridge","operation":"bridge","fees":{"gas":{"currency":{"chainId":,"address":"0x","symbol":"","name":"","decimals":18,"',
  'vmType":"","metadata":{"logoURI":"","verified":true,"isNative":true}},"amount":"","amountFormatted":"","amountUsd":"","m',
  'inimumAmount":""},"relayer":{"currency":{"chainId":,"address":"0x","symbol":"","name":"","decimals":6,"vmType":"","metad',
  'ata":{"logoURI":"","verified":true,"isNative":false}},"amount":"","amountFormatted":"","amountUsd":"","minimumAmount":""',
  '},"relayerGas":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"relayerService":{"currency":{"chainId":"","mi',
  'nimumAmount":""},"app":{"currency":{"chainId":,"address":"0x","symbol":true,"isNative":false}},"amount":"0","amountForma',
  'tted":"0.0","amountUsd":"0.000000","minimumAmount":"0"},"subsidized":"0","amountFormatted":"0.0","amountUsd":"0.000000",',
  '"minimumAmount":"0"}},"details":{"operation":"bridge","sender":"0x","recipient":"0x","currencyIn":{"currency":{"chainId"',
  ':,"address":"0x","symbol":true,"isNative":false}},"amount":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"c',
  'urrencyOut":18,"vmType":"","metadata":{"logoURI":"","verified":true,"isNative":false}},"amount":"","amountFormatted":"",',
  '"amountUsd":"","minimumAmount":""},"totalImpact":{"usd":"","percent":""},"swapImpact":{"usd":"0.000000","percent":"0.00"',
  '},"rate":"","slippageTolerance":{"total":"","origin":{"usd":"0.000000","value":"0","percent":"0.00"},"destination":{"usd',
  '":"","value":"","percent":""}},"timeEstimate":5,"userBalance":"0","refundCurrency":{"currency":"","amountUsd":"","minimu',
  'mAmount":""},"expandedPriceImpact":{"swap":{"usd":"0.000000"},"execution":{"usd":""},"relay":{"usd":"0.000000"},"app":{"',
  'usd":"0.000000"},"sponsored":{"usd":"0.000000"}},"route":{"origin":{"inputCurrency":{"currency":{"chainId":"","minimumAm',
  'ount":""},"outputCurrency":{"currency":{"chainId":,"address":"0x","symbol":true,"isNative":false}},"amount":"","amountFo',
  'rmatted":"","amountUsd":"","minimumAmount":""},"router":"relay"},"destination":{"inputCurrency":{"currency":{"chainId":,',
  '"address":"0x","symbol":true,"isNative":false}},"amount":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"out',
  'putCurrency":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"router":"relay"}},"isFixedRate":false},"feeSpon',
  'sorship":null,"features":,"trueExactOutput":false,"forceRefund":false,"swap":{"to":"0x","amount":"","minimum":"","limits',
  '":{"maxHops":{"requestType":"Crosschain Swap","operation":"swap","fees":{"gas":{"currency":{"chainId":"0","amountFormatt',
  'ed":"0.0","amountUsd":"0.000000","minimumAmount":"0"}},"details":{"operation":"swap","sender":false,"isNative":false}},"',
  'amount":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"currencyOut":18,"vmType":"","metadata":{"logoURI":""',
  ',"verified":false,"isNative":false}},"amount":""},"swapImpact":{"usd":"","percent":""},"rate":"","slippageTolerance":{"t',
  'otal":"","origin":{"usd":"","value":"","percent":""},"destination":{"usd":"","amountUsd":"","minimumAmount":""},"expande',
  'dPriceImpact":{"swap":{"usd":""},"execution":{"usd":""},"relay":{"usd":""},"app":{"usd":"0.000000"},"sponsored":{"logoUR',
  'I":"","verified":false,"isNative":false}},"amount":"","amountFormatted":"","amountUsd":"uniswap-v2","includedSwapSources',
  '":["uniswap-v2"]},"destination":{"inputCurrency":{"currency":{"chainId":,"address":""},"outputCurrency":{"currency":{"ch',
  'ainId":,"address":"0x","symbol":"","name":"","decimals":18,"vmType":"","metadata":{"logoURI":"","verified":false,"isNati',
  've":false}},"amount":"","amountFormatted":"","amountUsd":"","minimumAmount":""},"router":"uniswap-v2","includedSwapSourc',
  'es":["uniswap-v2"]}},"isFixedRate":false},"feeSponsorship":null,"features":',
].join('')

/**
 * Quotes take a third of the space (faults.md F133) and leave by days. A new host stores the texts of a quote deflated, in one column
 * of `quote_rows`, and reads them without the database. The view `quotes` shows every quote as before, to SQL and to older hosts.
 */
export const packedQuotesSql = `
alter table quotes rename to quote_rows;
alter table quote_rows add column packed bytea,
  alter column terms drop not null, alter column body drop not null, alter column quoted drop not null, alter column order_data drop not null;
-- It is compressed already.
alter table quote_rows alter column packed set storage external;

-- Quotes of new hosts, by the day until which they are kept.
create table quotes_days partition of quote_rows for values in ('days') partition by range (keep_until);
create table quotes_days_default partition of quotes_days default;
create index quotes_days_default_until on quotes_days_default (keep_until);

-- Inflates the texts of a packed quote (RFC 1951, one block of fixed codes). Slow: several milliseconds a quote; hot paths unpack in Node.
create function unpack_quote(p_packed bytea, p_id bytea, p_order_id bytea) returns text[] language plpgsql immutable parallel safe as $$
declare
  lengths constant integer[] := '{3,4,5,6,7,8,9,10,11,13,15,17,19,23,27,31,35,43,51,59,67,83,99,115,131,163,195,227,258}';
  length_bits constant integer[] := '{0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0}';
  distances constant integer[] := '{1,2,3,4,5,7,9,13,17,25,33,49,65,97,129,193,257,385,513,769,1025,1537,2049,3073,4097,6145,8193,12289,16385,24577}';
  dictionary constant bytea := convert_to('${QUOTE_DICTIONARY}' || encode(p_id, 'hex') || encode(p_order_id, 'hex'), 'UTF8');
  result bytea := dictionary;
  -- Behind the header: last block, fixed codes.
  at integer := 3;
  code integer;
  span integer;
  distance integer;
  extra integer;
  copied bytea;
begin
  loop
    code := get_bit(p_packed, at) * 64 + get_bit(p_packed, at + 1) * 32 + get_bit(p_packed, at + 2) * 16 + get_bit(p_packed, at + 3) * 8
      + get_bit(p_packed, at + 4) * 4 + get_bit(p_packed, at + 5) * 2 + get_bit(p_packed, at + 6);
    at := at + 7;
    -- 7 bits: symbols 256 to 279; 8 bits: 0 to 143 and 280 to 287; 9 bits: 144 to 255.
    if code >= 24 then
      code := code * 2 + get_bit(p_packed, at);
      at := at + 1;
      if code < 192 then
        result := result || set_byte('\\x00', 0, code - 48);
        continue;
      elsif code >= 200 then
        result := result || set_byte('\\x00', 0, code * 2 + get_bit(p_packed, at) - 256);
        at := at + 1;
        continue;
      end if;
      code := code - 192 + 24;
    end if;
    exit when code = 0;
    span := lengths[code];
    extra := length_bits[code];
    for bit in 0..extra - 1 loop
      span := span + (get_bit(p_packed, at + bit) << bit);
    end loop;
    at := at + extra;
    code := get_bit(p_packed, at) * 16 + get_bit(p_packed, at + 1) * 8 + get_bit(p_packed, at + 2) * 4 + get_bit(p_packed, at + 3) * 2
      + get_bit(p_packed, at + 4);
    at := at + 5;
    distance := distances[code + 1];
    extra := greatest(code / 2 - 1, 0);
    for bit in 0..extra - 1 loop
      distance := distance + (get_bit(p_packed, at + bit) << bit);
    end loop;
    at := at + extra;
    copied := substr(result, octet_length(result) - distance + 1, span);
    -- A copy longer than its distance repeats itself.
    while octet_length(copied) < span loop
      copied := substr(copied || copied, 1, span);
    end loop;
    result := result || copied;
  end loop;
  return string_to_array(convert_from(substr(result, octet_length(dictionary) + 1), 'UTF8'), E'\\x1e');
end $$;

create view quotes as
  select r.id, r.order_id, r.created_at, r.integrator_id, r.api_key_id, r.referrer,
    coalesce(r.terms, u.texts[1]) as terms, coalesce(r.body, u.texts[2]) as body, coalesce(r.quoted, u.texts[3]) as quoted,
    coalesce(r.order_data, u.texts[4]) as order_data,
    r.hold_stripe, r.hold_slot, r.hold_amount, r.hold_anonymous, r.hold_topup, r.hold_holder, r.kept, r.keep_until
  -- Once for each row, however many of its texts are read.
  from quote_rows r left join lateral (select unpack_quote(r.packed, r.id, r.order_id) as texts where r.packed is not null offset 0) u on true;

-- For hosts of the version before: they write texts, and name the weeks.
create function write_quote() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into quote_rows (id, order_id, created_at, integrator_id, api_key_id, referrer, terms, body, quoted, order_data,
      hold_stripe, hold_slot, hold_amount, hold_anonymous, hold_topup, hold_holder, kept, keep_until)
    values (new.id, new.order_id, new.created_at, new.integrator_id, new.api_key_id, new.referrer, new.terms, new.body, new.quoted, new.order_data,
      new.hold_stripe, new.hold_slot, new.hold_amount, new.hold_anonymous, new.hold_topup, new.hold_holder,
      coalesce(new.kept, 'weeks'), coalesce(new.keep_until, quote_keep_until()));
  else
    update quote_rows set terms = new.terms, body = new.body, quoted = new.quoted, order_data = new.order_data, packed = null where id = old.id;
  end if;
  return new;
end $$;
create trigger quotes_written instead of insert or update on quotes for each row execute function write_quote();
`
