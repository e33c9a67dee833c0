"""Chinese: the trading phrases in English. Words are not set apart, so the longest that fits wins."""

from __future__ import annotations

from bot.reading.tongues.tongue import Tongue

BUY = r"买入开仓|开仓买入|买入|买进|做多|开多|开多单|入场做多|开仓做多|建仓|入场|进场|开仓|购买"
SELL = r"卖出平仓|平仓卖出|卖出|平仓|离场|出场|清仓|平多仓|平多|平掉|止盈离场|全部卖出|退出"
SHORT = r"卖空|做空|开空|开空单|放空|融券卖出|入场做空|开仓做空"
ACTION = rf"({SHORT}|平空仓|平空|{SELL}|{BUY})"
DAYS = r"(?:天|日|个交易日|交易日)"
BARS = r"(?:根k线|根蜡烛|根bar|根|个周期|周期|个bar)"
FORMS: tuple[tuple[str, str], ...] = (
    (r"(?<![a-z])(ema|sma|wma|ma|rsi|atr|adx|cci)(\d+)", r"=\1 \2"),
    (r"macd(?:的)?快线(上穿|下穿)(?:其)?慢线", r" macd line \1 signal line "),
    (r"(?:每次|每笔)?(?:固定)?(?:买入|买|交易)?(\d+)股", r" size \1 shares "),
    (r"(?:每次|每笔)(?:交易)?(\d+(?:\.\d+)?)手", r" size \1 lots "),
    (r"(止损|止盈|目标)(?:设为|为|是)?[::]?\s*(\d+)\s*个?点(?!\d)", r"\1 \2 pips "),
    (r"(\d{1,2})点(\d{2})分?", r"=\1:\2"),
    (r"(\d{1,2})点整?", r"=\1:00"),
    (r"仅?在?(\d{1,2}:\d{2}) ?(?:到|至|-|~|和) ?(\d{1,2}:\d{2})(?:之间|期间)?(?:内)?", r" between \1 and \2 "),
    (r"(\d{1,2}:\d{2})(?:之后|以后|后)(?:不再|不|禁止|停止)(?:开仓|入场|买入|开新仓|交易|进场)", r" last entry at \1 "),
    (r"(?:在|于)?(\d{1,2}:\d{2})(?:时|前|之前)?(?:强制|全部|统一)?(?:平仓|清仓|卖出|离场|出场)(?:所有仓位|全部仓位)?", r" exit at the \1 bar "),
    (r"(?:每天|每日|当天|一天)(?:最多|只|仅|最多只)(?:交易|做|开仓|买入|开)?(?:一|1)(?:次|笔|单)(?:交易)?", " at most one trade per day "),
    (r"(?:同时)?(?:最多|只|仅)(?:同时)?(?:持有|持|保持|开)(?:一|1)(?:个|笔|份)?(?:仓位|持仓|头寸|仓|单)", " only one position at a time "),
    (r"(?:最多|至多)(?:同时)?(?:持有|持)?(\d+)(?:个|笔)?(?:仓位|持仓|头寸)", r" max \1 positions "),
    (r"(?:反向|相反)信号(?:不平仓|不会平仓|不关闭交易|不离场|忽略)|忽略(?:反向|相反)信号", " opposite signals do not close the trade "),
    (r"(?:出现|遇到)?(?:反向|相反)信号(?:时)?(?:平仓|离场|出场|卖出)?", " exit on the opposite signal "),
    (r"(?:只做多|仅做多|只做多单|只买不卖空|只做多头|仅多头|只多不空|只做多,不做空)", " long only "),
    (r"(?:只做空|仅做空|只做空单)", " short only "),
    (r"(?:不做空|不卖空|不允许做空|不开空|禁止做空|没有做空)", " no shorts "),
    (r"(?:不设|无|没有|不用|不带|不设置)(?:固定)?止损(?:(?:和|,|、|也不设|与|及|或)?(?:不设|无)?止盈)", " no stop and no target "),
    (r"(?:不设|无|没有|不用|不带|不设置)(?:固定)?止损", " no stop "),
    (r"(?:不设|无|没有|不用|不带|不设置)(?:固定)?止盈", " no target "),
    (r"(?:多空双向|双向交易|多空都做|双向)", " both directions "),
    (r"(?:单笔|每笔|每次)(?:交易)?(?:的)?风险(?:为|控制在|不超过|是)?(?:总资金|账户|资金|本金)?(?:的)?(\d+(?:\.\d+)?)%", r" risk \1% of the capital per trade "),
    (r"风险(?:为|控制在|不超过|是)?(?:总资金|账户|资金|本金)?(?:的)?(\d+(?:\.\d+)?)%", r" risk \1% of the capital "),
    (r"(?:每次|每笔)?(?:使用|用|投入|仓位|仓位为)(?:总资金|账户|资金|本金)?(?:的)?(\d+(?:\.\d+)?)%(?:的?(?:总?资金|仓位|账户|本金))?", r" use \1% of the capital "),
    (r"全仓|满仓", " all in "),
    (r"(?:手续费|佣金)(?:为|是)?(\d+(?:\.\d+)?)%", r" fees \1% per trade "),
    (r"(?:盈利|浮盈|获利)(?:达到|超过)?(\d+(?:\.\d+)?)%(?:后|时),?(?:将|把)?止损(?:移动?|移到|上移)(?:到|至)?(?:成本价|保本|开仓价|入场价|成本)", r" move the stop to break even after \1% profit "),
    (rf"(?:最多|最长)?(?:持有|持仓)(?:时间)?(?:最多|不超过|满)?(\d+){DAYS}(?:后)?(?:{SELL})?", r" hold at most \1 days "),
    (rf"(?:最多|最长)?(?:持有|持仓)(?:时间)?(?:最多|不超过|满)?(\d+){BARS}(?:后)?(?:{SELL})?", r" hold at most \1 bars "),
    (rf"(?:最多|最长)?(?:持有|持仓)(?:最多|不超过)?(\d+)个?小时(?:后)?(?:{SELL})?", r" hold at most \1 hours "),
    (rf"(\d+){DAYS}(?:之后|以后|后)(?:{SELL})", r" exit after \1 days "),
    (rf"(\d+){BARS}(?:之后|以后|后)(?:{SELL})", r" exit after \1 bars "),
    (rf"止损后(?:等待|暂停|休息)(\d+)(?:{BARS}|{DAYS})", r" wait \1 bars after a stop "),
    (rf"连续(\d+)(?:{BARS}|{DAYS})?(?:收?阴线?|收跌|下跌|阴k线|红色k线)", r" \1 lower closes in a row "),
    (rf"连续(\d+)(?:{BARS}|{DAYS})?(?:收?阳线?|收涨|上涨|阳k线)", r" \1 higher closes in a row "),
    (rf"(?:前|过去|最近|近)?(\d+)(?:{DAYS}|{BARS}|个?小时)(?:内|以来|里)?(?:的)?(?:最高收盘价)", r" highest close of the previous \1 days "),
    (rf"(?:前|过去|最近|近)?(\d+)(?:{DAYS}|{BARS}|个?小时)(?:内|以来|里)?(?:的)?(?:最低收盘价)", r" lowest close of the previous \1 days "),
    (rf"(?:前|过去|最近|近)?(\d+){DAYS}(?:内|以来|里)?(?:的)?(?:最高价|最高点|新高|高点|最高)", r" highest high of the previous \1 days "),
    (rf"(?:前|过去|最近|近)?(\d+){DAYS}(?:内|以来|里)?(?:的)?(?:最低价|最低点|新低|低点|最低)", r" lowest low of the previous \1 days "),
    (rf"(?:前|过去|最近|近)?(\d+){BARS}(?:内|以来|里)?(?:的)?(?:最高价|最高点|新高|高点|最高)", r" highest high of the previous \1 bars "),
    (rf"(?:前|过去|最近|近)?(\d+){BARS}(?:内|以来|里)?(?:的)?(?:最低价|最低点|新低|低点|最低)", r" lowest low of the previous \1 bars "),
    (rf"(?:前|过去|最近|近)?(\d+)(?:{DAYS}|{BARS})?(?:的)?(?:平均成交量|均量|成交量均线|成交量均值)", r" average volume of \1 bars "),
    (r"(\d+(?:\.\d+)?)倍(?:的)?", r" \1 times the "),
    (rf"(\d+)(?:{DAYS}|{BARS}|期|分钟)?(?:简单移动平均线|简单移动均线|简单均线|sma|简单平均线)", r" sma \1 "),
    (rf"(\d+)(?:{DAYS}|{BARS}|期)?(?:指数移动平均线|指数移动均线|指数均线|ema|指数平均线)", r" ema \1 "),
    (rf"(\d+)(?:{DAYS}|{BARS}|期)?(?:加权移动平均线|加权均线|wma)", r" wma \1 "),
    (rf"(\d+)(?:{DAYS}|{BARS}|期)?(?:移动平均线|移动均线|均线|日线|ma)", r" moving average \1 "),
    (rf"(\d+)(?:{DAYS}|{BARS}|期)?(rsi|atr|adx|cci)", r" \1 \2 "),
    (r"(\d+)分钟(?:k?线图?|图|级别|k线|周期)?", r" \1 minute chart "),
    (r"(\d+)个?小时(?:k?线图?|图|级别|k线|周期)?", r" \1 hour chart "),
    (r"(?:在|位于|处于)([^,.;:。、\n]{1,40}?)(?:之上|上方|以上)", r" above \1 "),
    (r"(?:在|位于|处于)([^,.;:。、\n]{1,40}?)(?:之下|下方|以下)", r" below \1 "),
    (rf"(?:^|(?<=[,.;:。、\n]))(?:当|如果|若|一旦)?((?:\([^()\n]*\)|[^,.;:。、\n()]){{1,60}}?)(?:的时候|时|之时|则|就|那么),?{ACTION}", r" \2 when \1 "),
)  # fmt: skip
PHRASES = {
    "buy": BUY, "exit": SELL, "go short": SHORT, "exit short": "平空仓|平空", "both directions": "双向交易", "mirrored": "做空相反|反之亦然|反之", "reverse": "反手", "always in the market": "始终持仓|一直持仓|永远在场", "when": "当|如果|若|一旦|每当|要是", "only if": "只有当|仅当|前提是|只有在", "unless": "除非",
    "and": "且|并且|同时|和|与|以及|而且|并", "or": "或|或者", "but": "但|但是", "then": "则|那么|就|时|的时候|之后|然后", "not": "不", "without": "无|没有|不设", "only": "只|仅", "of": "的", "is": "是|为|处于", "crosses above": "上穿|向上穿越|向上穿过|从下向上穿过|从下往上穿过|向上突破|从下方穿越|升穿|从下方上穿|自下而上穿过|自下而上穿越|由下向上穿越",
    "crosses below": "下穿|向下穿越|向下穿过|从上向下穿过|从上往下穿过|从上方穿越|从上方下穿|自上而下穿过|自上而下穿越|由上向下穿越", "breaks": "突破|冲破", "breaks above": "升破|站上|涨破|上破|超越", "breaks below": "跌破|下破|向下突破|失守|击穿", "rises above": "升至|上升到|回升到|升到", "falls below": "跌至|下降到|降到", "bullish cross": "金叉|黄金交叉",
    "bearish cross": "死叉|死亡交叉", "crosses back above": "重新站上|重回", "crosses back below": "重新跌破", "above": "高于|大于|超过|多于|高过", "below": "低于|小于|少于|不到", "at least": "大于等于|不低于|至少|不小于|大于或等于", "at most": "小于等于|不高于|最多|不大于|小于或等于", "equal to": "等于", "between": "介于",
    "touches": "触及|触碰|碰到", "reaches": "达到|到达|回到|回归|触达", "turns positive": "转正|由负转正|变为正", "turns negative": "转负|由正转负|变为负", "turns bullish": "转多|变为多头|变绿|转为上涨|翻多|变多", "turns bearish": "转空|变为空头|变红|转为下跌|翻空|变空", "positive": "为正|正值", "negative": "为负|负值",
    "oversold": "超卖|超卖区|超卖区域", "overbought": "超买|超买区|超买区域", "rising": "上升|上涨|向上", "falling": "下降|下跌|向下", "close": "收盘价|收盘", "open": "开盘价|开盘", "high": "最高价|高点|最高点", "low": "最低价|低点|最低点", "price": "价格|股价|币价|现价", "volume": "成交量", "average volume": "平均成交量|均量",
    "previous day's high": "昨日最高价|前一日最高价|昨天的最高价|昨日高点|前一天最高价|昨高", "previous day's low": "昨日最低价|前一日最低价|昨天的最低价|昨日低点|前一天最低价|昨低", "previous day's close": "昨日收盘价|前一日收盘价|昨收|昨天的收盘价|前一天收盘价", "previous bar's high": "前一根k线最高价|前一根k线的最高价|上一根k线最高价",
    "previous bar's low": "前一根k线最低价|前一根k线的最低价|上一根k线最低价", "yesterday": "昨日|昨天|前一日", "days": "天|日|个交易日", "bars": "根k线|k线|根", "day": "每日", "moving average": "均线|移动平均线|移动均线", "simple moving average": "简单移动平均线|简单均线", "exponential moving average": "指数移动平均线|指数均线",
    "bollinger bands": "布林带|布林线|保力加通道|布林通道|boll", "lower bollinger band": "布林带下轨|布林线下轨|布林下轨|布林通道下轨", "upper bollinger band": "布林带上轨|布林线上轨|布林上轨|布林通道上轨", "middle bollinger band": "布林带中轨|布林线中轨|布林中轨|布林通道中轨", "lower band": "下轨", "upper band": "上轨", "middle band": "中轨",
    "signal line": "信号线|dea|dea线", "macd line": "macd线|dif|dif线|diff|macd快线", "histogram": "柱状图|柱状线|红绿柱|macd柱", "zero line": "零轴|0轴|零线", "stochastic": "随机指标|kd指标|kdj", "rsi": "相对强弱指数|相对强弱指标", "channel": "通道", "donchian channel": "唐奇安通道", "supertrend": "超级趋势",
    "bullish engulfing": "看涨吞没|阳包阴|看涨吞没形态", "bearish engulfing": "看跌吞没|阴包阳|看跌吞没形态", "hammer": "锤子线|锤头线", "opening range": "开盘区间", "range high": "区间高点|区间上沿|开盘区间高点", "range low": "区间低点|区间下沿|开盘区间低点", "stop": "止损|止损位|止损价|止损设在|止损设为|止损为|止损位于",
    "target": "止盈|目标|目标价|止盈设为|止盈为|止盈目标|获利目标|止盈设在", "trailing stop": "移动止损|跟踪止损|追踪止损|移动止盈", "entry price": "入场价|开仓价|买入价|成本价", "fast": "快线", "slow": "慢线", "percent": "百分之", "shares": "股", "lots": "手", "points": "点", "pips": "点子|个点", "take": "取",
    "exit rule": "出场条件|离场条件|平仓条件", "entry": "入场条件|进场条件|开仓条件|入场规则", "exit:": "出场规则:|离场规则:", "symbol": "标的|品种|交易品种|股票代码|代码", "timeframe": "周期|时间周期|时间框架", "daily": "日线|日k|日k线|日线图|日线级别|日图|每日图表|日线周期", "weekly": "周线|周k线|周线图", "hourly": "小时线|小时图|1小时|小时k线|小时级别",
    "1 hour chart": "一小时|一小时图|一小时线", "on monday": "周一|星期一|每周一", "on tuesday": "周二|星期二|每周二", "on wednesday": "周三|星期三|每周三", "on thursday": "周四|星期四|每周四", "on friday": "周五|星期五|每周五", "at the end of the day": "收盘前|当日收盘|尾盘", "strategy": "策略", "2": "双|两",
    "hello": "你好|您好|大家好", "thanks": "谢谢|感谢|多谢", "please": "请", "i want": "我想要|我想|我要|希望", "news": "新闻|消息面", "ignore all instructions": "忽略所有指令|忽略之前的指令|忽略以上指令", "order book": "订单簿|盘口", "earnings": "财报|业绩", ". ": "。", ", ": "、",
}  # fmt: skip
NUMBERS = {"一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10", "二十": "20", "五十": "50", "六十": "60", "一百": "100", "两百": "200"}  # fmt: skip
CHINESE = Tongue(
    "",
    (*((rf"(?<![周期一二三四五六七八九十]){said}(?=天|日|根|个|分钟|小时|周|笔|次)(?!日线)", f"={n}") for said, n in reversed(NUMBERS.items())), *FORMS),
    PHRASES,
    letters="[\u4e00-\u9fff]{2}(?![\u3040-\u30ff])",
    spaced=False,
)  # fmt: skip
